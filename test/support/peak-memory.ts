/** How much memory the command line itself takes, whatever it starts beside it. */
import { readFileSync } from "node:fs";
import { type CliOptions, type CliResult, startCli } from "./cli.ts";

const lookEveryMs = 5;

/** Runs `hidden-oracle ARGS` and watches the kernel's own high-water mark of its process. */
export async function peakMemoryMiB(
  args: readonly string[],
  options: CliOptions,
): Promise<{ result: CliResult; peak: number }> {
  const { child, ended } = startCli(args, options);
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, highWaterMiB(child.pid ?? 0));
  }, lookEveryMs);
  try {
    return { result: await ended, peak };
  } finally {
    clearInterval(timer);
  }
}

function highWaterMiB(pid: number): number {
  try {
    const kib = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kib ?? 0) / 1024;
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return 0;
    throw error;
  }
}
