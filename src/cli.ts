#!/usr/bin/env node
/** argv → one lazily loaded command; the only place that sets the exit code. */
import { ExitCode, GraderError } from "./model/errors.ts";
import { version } from "./model/version.ts";

const argv = process.argv.slice(2);
// Answered before anything is loaded: scripts ask this often.
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) process.stdout.write(`${version}\n`);
else process.exitCode = await main();

async function main(): Promise<number> {
  const interruption = new AbortController();
  // The first signal gives the reason; further ones change nothing, so what cleans up is left to finish.
  process.on("SIGINT", () => interruption.abort(new GraderError(ExitCode.interrupted, "interrupted")));
  process.on("SIGHUP", () => interruption.abort(new GraderError(ExitCode.terminated, "terminated")));
  process.on("SIGTERM", () => interruption.abort(new GraderError(ExitCode.terminated, "terminated")));
  // Whoever writes hears of it by the call; where nobody reads, there is nothing to tell.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  process.on("uncaughtException", (error) => {
    void fail(error).then((exit) => process.exit(exit));
  });
  try {
    const { runCommandLine } = await import("./commands/program.ts");
    return await runCommandLine(argv, { signal: interruption.signal });
  } catch (error) {
    return fail(error);
  }
}

async function fail(error: unknown): Promise<number> {
  const { reportFault } = await import("./commands/fault.ts");
  return reportFault(error);
}
