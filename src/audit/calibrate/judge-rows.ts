/** What the verdicts of the baseline and the recorded patches say of a task. Pure. */
import { baselineName, type CalibrationFinding, type CalibrationRow, isSteady } from "./calibration.ts";

/** Everything that is wrong with the rows, worst first. */
export function judgeRows(rows: readonly CalibrationRow[]): CalibrationFinding[] {
  const patches = rows.filter(({ patch }) => patch !== baselineName);
  const baseline = rows.find(({ patch }) => patch === baselineName);
  return [
    ...rows.flatMap(weakOracle),
    ...(baseline ? judgeBaseline(baseline) : []),
    ...patches.flatMap(otherVerdict),
    ...rows.flatMap(flaky),
    ...missingKinds(patches),
  ];
}

function weakOracle({ patch, verdicts }: CalibrationRow): CalibrationFinding[] {
  if (!verdicts.includes("FAIL_VISIBLE")) return [];
  return [
    {
      kind: "weak-oracle",
      about: patch,
      message: "fails what is shown and passes what is hidden: the oracle is weaker than the demo",
      hint: "repair the oracle: it must check at least what the visible tests check",
    },
  ];
}

function judgeBaseline({ verdicts }: CalibrationRow): CalibrationFinding[] {
  const findings: CalibrationFinding[] = [];
  if (verdicts.some((token) => token === "PASS" || token === "OVERFIT"))
    findings.push({
      kind: "baseline-green-visible",
      about: baselineName,
      message: "passes the visible tests without a patch: they do not show the bug",
      hint: "add a visible test that fails on the sources as they are",
    });
  if (verdicts.some((token) => token === "PASS" || token === "FAIL_VISIBLE"))
    findings.push({
      kind: "baseline-green-hidden",
      about: baselineName,
      message: "passes the hidden tests without a patch: they cannot tell a fix from none",
      hint: "make the oracle check what is broken",
    });
  return findings;
}

function otherVerdict({ patch, expected, verdicts, layers }: CalibrationRow): CalibrationFinding[] {
  const other = verdicts.find((token) => token !== expected);
  if (other === undefined) return [];
  const failed = Object.entries(layers).flatMap(([name, layer]) =>
    layer.status === "fail" ? [{ name, ...layer }] : [],
  );
  const [first] = other === verdicts[0] ? failed : [];
  const why = first ? ` · ${first.name}: ${first.cause}: ${first.detail}` : "";
  return [
    {
      kind: "other-verdict",
      about: patch,
      message: `is ${other}, not ${expected}${why}`,
      hint: 'mend the oracle, the patch, or its label in the manifest\'s "calibration"',
    },
  ];
}

function flaky(row: CalibrationRow): CalibrationFinding[] {
  const wavers = Object.entries(row.layers).find(
    ([, layer]) => layer?.status === "fail" && layer.cause === "flaky",
  );
  if (isSteady(row) && wavers === undefined) return [];
  const seen = isSteady(row)
    ? `${wavers?.[0]} layer's repeats disagree`
    : [...new Set(row.verdicts)].join(" and ");
  return [
    {
      kind: "flaky",
      about: row.patch,
      message: `comes out differently from run to run: ${seen}`,
      hint: "take chance out of the tests: time, threads, addresses, uninitialised memory, unordered containers",
    },
  ];
}

function missingKinds(patches: readonly CalibrationRow[]): CalibrationFinding[] {
  const has = (token: string) =>
    patches.some(({ verdicts }) => verdicts.every((verdict) => verdict === token));
  const findings: CalibrationFinding[] = [];
  if (!has("OVERFIT"))
    findings.push({
      kind: "no-overfitting-patch",
      about: "calibration",
      message: "no recorded patch is OVERFIT: nothing shows that the oracle sees more than the visible tests",
      hint: 'record a patch that only greens the shown tests, with "OVERFIT" in the manifest\'s "calibration"',
    });
  if (!has("PASS"))
    findings.push({
      kind: "no-passing-patch",
      about: "calibration",
      message: "no recorded patch is PASS: nothing shows that the oracle can be satisfied",
      hint: 'record a right fix as the manifest\'s "reference"',
    });
  return findings;
}
