/** Descriptors that this process was started with, and that no program may get from it. */
import { readdirSync, readFileSync } from "node:fs";

/** `O_CLOEXEC` as `/proc/PID/fdinfo` shows it: proc(5), open(2). Node sets it on everything that it opens itself. */
const closeOnExec = 0o2000000;

let known: readonly number[] | undefined;

/**
 * The argv that starts `argv` without them. A descriptor of a folder leads past every namespace, so whatever a shell,
 * a CI runner or an editor left open must not reach a sandbox.
 *
 * @param given How many descriptors, from 0, the program is given on purpose.
 */
export function withoutInherited(
  argv: readonly [string, ...string[]],
  given: number,
): readonly [string, ...string[]] {
  known ??= inheritedDescriptors();
  const closed = known.filter((fd) => fd >= given).map((fd) => `${fd}<&-`);
  if (closed.length === 0) return argv;
  // Node can't close what it inherited in a child alone, and here it may still be wanted: /dev/fd/63 is a pipe of bash's.
  return ["/bin/bash", "-pc", `exec ${closed.join(" ")}; exec "$@"`, "bash", ...argv];
}

function inheritedDescriptors(): number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => fd > 2 && isInherited(fd));
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch (error) {
    // The listing's own descriptor is closed by now.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
