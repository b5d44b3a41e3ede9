/** Runs the built command line as a user does, in an environment that holds nothing of the caller's. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./repository.ts";

/** What a run is given beyond its arguments. */
export interface CliOptions {
  /** The test file's own folder: cache and temporary files go below it. */
  readonly folder: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** A program and its arguments that start the command line in their place. */
  readonly under?: readonly string[];
}

/** All that came of a run. */
export interface CliResult {
  readonly pid: number;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The run's temporary folder, its own and nobody else's. */
  readonly temporary: string;
}

/** A run that is still going on. */
export interface RunningCli {
  readonly child: ChildProcess;
  readonly temporary: string;
  readonly ended: Promise<CliResult>;
}

/** Starts `hidden-oracle ARGS`. */
export function startCli(args: readonly string[], options: CliOptions): RunningCli {
  const temporary = mkdtempSync(join(options.folder, "tmp-"));
  chmodSync(temporary, 0o755);
  const [program = process.execPath, ...rest] = [
    ...(options.under ?? []),
    process.execPath,
    inRepository("dist/cli.js"),
    ...args,
  ];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? options.folder,
    env: {
      PATH: process.env.PATH,
      HOME: options.folder,
      TMPDIR: temporary,
      HIDDEN_ORACLE_CACHE: join(options.folder, "cache"),
      ...options.env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A program may end without reading all that it is sent.
  child.stdin.on("error", () => child.stdin.destroy());
  child.stdin.end(options.stdin ?? "");
  return { child, temporary, ended: waitForEnd(child, temporary) };
}

/** Runs `hidden-oracle ARGS` to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}

function waitForEnd(child: ChildProcess, temporary: string): Promise<CliResult> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve({
        pid: child.pid ?? 0,
        code,
        signal,
        stdout: Buffer.concat(stdout).toString("utf8"),
        stderr: Buffer.concat(stderr).toString("utf8"),
        temporary,
      }),
    );
  });
}
