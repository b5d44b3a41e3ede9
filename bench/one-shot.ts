/** One patch at a time: a new process for each, as on a terminal. */
import { median, type Row } from "./row.ts";
import type { Stage } from "./stage.ts";

/** Wall milliseconds of each way, one entry a round. */
interface Rounds {
  readonly referenceSource: number[];
  readonly referenceHeader: number[];
  readonly cold: number[];
  readonly warmSource: number[];
  readonly warmHeader: number[];
  readonly known: number[];
}

/** Patches that no measurement uses. */
const warmUp = [901, 902, 906];

/** Measures every way once a round, so that a busy moment of the machine hits them alike. */
export async function measureOneShot(stage: Stage, rounds: number): Promise<Row[]> {
  const warm = stage.freshCache();
  const { source, header } = stage.variants;
  for (const n of warmUp)
    for (const text of [source(n), header(n)])
      await stage.ours(["grade", stage.patchFile(text), "--task", stage.task], warm);
  const times: Rounds = {
    referenceSource: [],
    referenceHeader: [],
    cold: [],
    warmSource: [],
    warmHeader: [],
    known: [],
  };
  for (let round = 0; round < rounds; round++) await oneRound(stage, warm, round, times);
  return rowsOf(times);
}

async function oneRound(stage: Stage, warm: string, round: number, times: Rounds): Promise<void> {
  const source = stage.patchFile(stage.variants.source(round));
  const header = stage.patchFile(stage.variants.header(round));
  const grade = async (patch: string, cache: string) =>
    (await stage.ours(["grade", patch, "--task", stage.task], cache)).wallMs;
  times.referenceSource.push((await stage.reference(source)).wallMs);
  times.warmSource.push(await grade(source, warm));
  times.known.push(await gradeKnown(stage, source, warm));
  times.cold.push(await grade(source, stage.freshCache()));
  times.referenceHeader.push((await stage.reference(header)).wallMs);
  times.warmHeader.push(await grade(header, warm));
}

async function gradeKnown(stage: Stage, patch: string, cache: string): Promise<number> {
  const spent = await stage.ours(["grade", patch, "--task", stage.task, "--json"], cache);
  const record = JSON.parse(spent.stdout) as { cached: boolean };
  if (!record.cached) throw new Error("a patch that was graded before was graded again");
  return spent.wallMs;
}

function rowsOf(times: Rounds): Row[] {
  const against = (
    what: string,
    reference: number[],
    ours: number[],
    target: number,
    stretch: number,
  ): Row => ({
    what,
    unit: "ms wall",
    reference: median(reference),
    ours: median(ours),
    sense: "share",
    target,
    stretch,
  });
  return [
    against("one cold patch", times.referenceSource, times.cold, 0.5, 0.35),
    against("one warm source patch", times.referenceSource, times.warmSource, 0.3, 0.2),
    against("one warm header patch", times.referenceHeader, times.warmHeader, 0.5, 0.35),
    {
      what: "a patch already graded (from its record)",
      unit: "ms wall",
      reference: median(times.referenceSource),
      ours: median(times.known),
      sense: "share",
    },
  ];
}
