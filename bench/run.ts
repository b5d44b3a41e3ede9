/** Holds the grader against a plain script, interleaved in one run, and prints ratios. Exit 1: a target is not met. */
import { parseArgs } from "node:util";
import { type ManyOptions, measureMany } from "./many.ts";
import { measureMemory } from "./memory.ts";
import { measureOneShot } from "./one-shot.ts";
import { allMet, type Row, tableOf } from "./row.ts";
import { openStage, type Stage } from "./stage.ts";

const help = `usage: npm run bench -- [--rounds N] [--full] [--quick] [--small-oracle] [--memory]
  --rounds N       rounds of the batches (default 3); one patch at a time is measured three times as often
  --full           run the script on all 100 patches, not on 20
  --quick          one round and 10 patches for the script: a first look, too noisy to quote
  --small-oracle   the same class under a short oracle
  --memory         only this: 1,000 patches in one process, is its memory flat?
`;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    full: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    "small-oracle": { type: "boolean", default: false },
    memory: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measureSpeed(stage: Stage, options: ManyOptions): Promise<boolean> {
  const rows: Row[] = await measureOneShot(stage, options.rounds * 3);
  let [same, compared] = [0, 0];
  for (const kind of ["source", "header"] as const) {
    process.stderr.write(`${rows.length} rows measured, now 100 ${kind} patches\n`);
    const result = await measureMany(stage, kind, options);
    rows.push(...result.rows);
    same += result.same;
    compared += result.compared;
  }
  say(tableOf(rows));
  say("");
  if (options.sample < 100)
    say(`The script ran on ${options.sample} of the 100 patches; its times are scaled.`);
  say(`Same word from both: ${same} of ${compared}.`);
  return allMet(rows) && same === compared;
}

async function measureGrowth(stage: Stage): Promise<boolean> {
  const { secondQuarter, lastQuarter, peak, flat } = await measureMemory(stage, 1000);
  const mib = (value: number) => `${value.toFixed(0)} MiB`;
  say(
    `1,000 patches: ${mib(secondQuarter)} in the second quarter, ${mib(lastQuarter)} in the last, peak ${mib(peak)}`,
  );
  say(flat ? "flat: met" : "flat: NOT MET");
  return flat;
}

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const rounds = values.quick ? 1 : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    process.stderr.write(help);
    return 64;
  }
  const stage = await openStage(values["small-oracle"]);
  try {
    say(`CPU time from: ${stage.account.kind}. Oracle: ${values["small-oracle"] ? "small" : "shipped"}.`);
    const sample = values.full ? 100 : values.quick ? 10 : 20;
    const met = values.memory ? await measureGrowth(stage) : await measureSpeed(stage, { rounds, sample });
    return met ? 0 : 1;
  } finally {
    stage.close();
  }
}

process.exitCode = await main();
