#!/usr/bin/env node
/** Runs a TypeScript file of this repository: `node scripts/run-ts.mjs FILE [ARG…]`. Node 20 cannot by itself. */
import { resolve } from "node:path";
import { runnerImport } from "vite";

const [node, , file, ...args] = process.argv;
if (file === undefined) {
  process.stderr.write("usage: node scripts/run-ts.mjs FILE [ARG…]\n");
  process.exitCode = 64;
} else {
  const script = resolve(file);
  process.argv = [node ?? "node", script, ...args];
  await runnerImport(script, { configFile: false, logLevel: "error" });
}
