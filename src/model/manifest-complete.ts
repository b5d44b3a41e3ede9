/** What becomes of a target's flags before the build plan sees them: sanitizers told, defaults added, unsound flags dropped. */

/** Flags ready for the build plan. */
export interface CompletedFlags {
  readonly flags: readonly string[];
  /** The same for test units, which are compiled again whenever a header changes: where the manifest leaves the
   * level open, they are optimised for debugging and carry line tables only. */
  readonly testFlags: readonly string[];
  /** Sanitizers that stay on, in the order given. Empty: the target runs bare. */
  readonly sanitizers: readonly string[];
  /** One line for each flag that was dropped. */
  readonly notes: readonly string[];
}

/** Sanitizers that a list of flags leaves switched on; a later flag wins over an earlier one. */
export function sanitizersOf(flags: readonly string[]): string[] {
  const on = new Set<string>();
  for (const flag of flags) {
    for (const name of namesAfter(flag, "-fsanitize=")) on.add(name);
    for (const name of namesAfter(flag, "-fno-sanitize=")) {
      if (name === "all") on.clear();
      else on.delete(name);
    }
  }
  return [...on];
}

/**
 * Adds what a manifest may leave unsaid: `address,undefined` without any `-fsanitize=`, `-O1` without an
 * `-O`, `-g` without a `-g`. Drops what would make a verdict unsound: definitions of `NDEBUG` (assertions
 * stay live) and `-fsanitize-recover` (a report must end the run). `-fno-sanitize=` is the task's own choice
 * and stays; that each layer keeps a sanitised target is checked where the manifest is read.
 *
 * `sanitize`, a target's own field, replaces every sanitizer flag.
 */
export function completeFlags(
  cxxflags: readonly string[],
  sanitize?: "none" | readonly string[],
): CompletedFlags {
  const { kept, notes } = dropUnsound(cxxflags);
  const chosen =
    sanitize === undefined
      ? kept
      : [...kept.filter((flag) => !isSanitizer(flag)), ...sanitizerFlags(sanitize)];
  const sanitizes = sanitize !== undefined || kept.some((flag) => flag.startsWith("-fsanitize="));
  const isSaid = (pattern: RegExp) => chosen.some((flag) => pattern.test(flag));
  const added = (level: string, debug: string) => [
    ...(sanitizes ? [] : ["-fsanitize=address,undefined"]),
    ...(isSaid(/^-O/) ? [] : [level]),
    ...(isSaid(/^-g($|\d|gdb|dwarf|line|mlt|one)/) ? [] : [debug]),
  ];
  // A default goes before the task's own flags, so that a -fno-sanitize= among them still counts.
  const flags = [...added("-O1", "-g"), ...chosen];
  const testFlags = [...added("-Og", "-g1"), ...chosen];
  const outside =
    sanitize !== undefined && sanitize !== "none" && sanitize.includes("valgrind") ? ["valgrind"] : [];
  return { flags, testFlags, sanitizers: [...sanitizersOf(flags), ...outside], notes };
}

/** A target's flags over the manifest's: a target that says `-fsanitize=` means its own set, not both. */
export function mergeFlags(common: readonly string[], own: readonly string[]): string[] {
  const replaced = own.some((flag) => flag.startsWith("-fsanitize="));
  return [...(replaced ? common.filter((flag) => !isSanitizer(flag)) : common), ...own];
}

/** Why a set of sanitizers can't run together, or `undefined` if it can. */
export function sanitizerClash(sanitizers: readonly string[]): string | undefined {
  const alone = sanitizers.filter((name) =>
    ["address", "hwaddress", "thread", "memory", "valgrind"].includes(name),
  );
  const clash =
    alone.length > 1
      ? alone
      : sanitizers.includes("leak")
        ? alone.filter((name) => name !== "address" && name !== "hwaddress")
        : [];
  if (clash.length === 0) return undefined;
  return `sanitizers ${[...new Set([...clash, ...(alone.length > 1 ? [] : ["leak"])])].join(" and ")} can't run together`;
}

function isSanitizer(flag: string): boolean {
  return /^-f(no-)?sanitize=/.test(flag);
}

function sanitizerFlags(sanitize: "none" | readonly string[]): string[] {
  const compiled = sanitize === "none" ? [] : sanitize.filter((name) => name !== "valgrind");
  return compiled.length === 0 ? [] : [`-fsanitize=${compiled.join(",")}`];
}

function namesAfter(flag: string, prefix: string): string[] {
  return flag.startsWith(prefix)
    ? flag
        .slice(prefix.length)
        .split(",")
        .filter((name) => name !== "")
    : [];
}

function dropUnsound(flags: readonly string[]): { kept: string[]; notes: string[] } {
  const kept: string[] = [];
  const notes: string[] = [];
  for (let index = 0; index < flags.length; index += 1) {
    const flag = flags[index] ?? "";
    const next = flags[index + 1] ?? "";
    if (/^-DNDEBUG(=|$)/.test(flag)) notes.push(`${flag} is dropped: assertions stay live`);
    else if (flag === "-D" && /^NDEBUG(=|$)/.test(next)) {
      notes.push(`-D ${next} is dropped: assertions stay live`);
      index += 1;
    } else if (/^-fsanitize-recover(=|$)/.test(flag))
      notes.push(`${flag} is dropped: a sanitizer's report ends the run`);
    else if (flag === "-D" || flag === "-U") {
      kept.push(flag, next);
      index += 1;
    } else kept.push(flag);
  }
  return { kept, notes };
}
