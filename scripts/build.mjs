#!/usr/bin/env node
/** Builds `dist/`, unless it is newer than everything it is made from. `--force` builds anyway. */
import { spawnSync } from "node:child_process";
import { copyFileSync, lstatSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const inputs = ["src", "native", "package.json", "package-lock.json", "tsconfig.json", "tsdown.config.ts"];
const built = join(root, "dist", "cli.js");

/** Milliseconds of the last change, or 0 when there is no such file. */
function changedAt(file) {
  return lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The last change in a file or below a folder. Folders count too: their time tells of a deleted file. */
function newest(file) {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) return changedAt(file);
  const inside = readdirSync(file).filter((name) => !name.endsWith(".test.ts"));
  return Math.max(changedAt(file), ...inside.map((name) => newest(join(file, name))));
}

function isFresh() {
  return changedAt(built) >= Math.max(...inputs.map((name) => newest(join(root, name))));
}

function build() {
  const started = new Date();
  const tsdown = join(root, "node_modules", ".bin", "tsdown");
  const { status, error, stdout, stderr } = spawnSync(tsdown, [], { cwd: root, encoding: "utf8" });
  if (error)
    process.stderr.write(`cannot run ${tsdown}: ${error.message}\n  hint: run node scripts/setup.mjs\n`);
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ""}${stderr ?? ""}the build failed\n`);
    return status ?? 70;
  }
  // The viewer of mutation testing reports is one script, inlined into the pages that `strength --html` writes.
  const viewer = "mutation-test-elements.js";
  copyFileSync(
    join(root, "node_modules", "mutation-testing-elements", "dist", viewer),
    join(root, "dist", viewer),
  );
  // The time of the start, so that an input saved while the build ran makes the next one run again.
  utimesSync(built, started, started);
  process.stderr.write(`built dist/ in ${((Date.now() - started.getTime()) / 1000).toFixed(1)} s\n`);
  return 0;
}

process.exitCode = !process.argv.includes("--force") && isFresh() ? 0 : build();
