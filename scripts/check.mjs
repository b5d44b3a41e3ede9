#!/usr/bin/env node
/**
 * Every check that needs no compiler: one line a step, the whole output of a step that failed, exit 1 if any did.
 * `node scripts/check.mjs NAME…` runs only the named steps.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");

/** Slowest first, so that the short ones fill the gaps. */
const steps = [
  { name: "unit", argv: ["vitest", "run", "--project", "unit"] },
  { name: "types", argv: ["tsc", "--noEmit"] },
  { name: "imports", argv: ["depcruise", "src", "--config", ".dependency-cruiser.js"] },
  { name: "unused", argv: ["knip"] },
  { name: "package", argv: ["publint", "--strict"] },
  { name: "lint", argv: ["biome", "check", "--error-on-warnings"] },
  {
    name: "schema",
    argv: ["node", "scripts/run-ts.mjs", "scripts/write-schema.ts", "--check"],
    needs: "scripts/write-schema.ts",
  },
];

/** Runs one argv; resolves to its exit status and everything that it printed. */
function run(argv) {
  const [program, ...args] = argv;
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  return new Promise((done) => {
    child.on("error", (error) => done({ status: 70, output: error.message }));
    child.on("close", (status) => done({ status: status ?? 70, output: Buffer.concat(chunks).toString() }));
  });
}

async function runStep(step) {
  const started = performance.now();
  const { status, output } = await run(step.argv);
  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(5);
  process.stdout.write(`${status === 0 ? "ok    " : "FAILED"} ${step.name.padEnd(8)}${seconds} s\n`);
  if (status !== 0) process.stdout.write(`\n$ ${step.argv.join(" ")}\n${output.trimEnd()}\n\n`);
  return status === 0;
}

/** Runs the steps, a few at a time; resolves to whether all of them passed. */
async function runSteps(waiting) {
  const results = [];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await runStep(step));
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
  return results.every(Boolean);
}

function chosenSteps(names) {
  const unknown = names.find((name) => !steps.some((step) => step.name === name));
  if (unknown !== undefined) {
    const known = steps.map((step) => step.name).join(", ");
    process.stderr.write(`no such check: ${unknown}\n  hint: one of ${known}\n`);
    return undefined;
  }
  const present = steps.filter((step) => step.needs === undefined || existsSync(join(root, step.needs)));
  return names.length === 0 ? present : present.filter((step) => names.includes(step.name));
}

const chosen = chosenSteps(process.argv.slice(2));
if (chosen === undefined) process.exitCode = 64;
else process.exitCode = (await runSteps(chosen)) ? 0 : 1;
