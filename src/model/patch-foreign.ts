/** Formats that models send in place of a unified diff, told apart so that the refusal can say what to send. */

const edCommand = /^\d+(?:,\d+)?[acd](?:\d+(?:,\d+)?)?\s*$/;

/** Each by a line that only it has. */
const formats: readonly (readonly [RegExp, string])[] = [
  [/^\*\*\* \d+(?:,\d+)? \*{4}/, "this is a context diff; send a unified diff (diff -u, git diff)"],
  [/^@@@+ -\d/, "this is the combined diff of a merge; send a plain unified diff"],
  [
    /^\*\*\* (?:Begin Patch|Update File:|Add File:|Delete File:)/,
    "this is apply_patch's format; send a unified diff",
  ],
  [/^<{5,} ?(?:SEARCH|ORIGINAL)\s*$/, "these are search and replace blocks; send a unified diff"],
  [/^GIT binary patch\s*$/, "the patch is binary; only text can be judged"],
];

/** What to say of a line that gives another format away. */
export function foreignFormat(line: string): string | undefined {
  if (!/^[*@<G]/.test(line)) return undefined;
  return formats.find(([pattern]) => pattern.test(line.slice(0, 80)))?.[1];
}

/** What to say of a command of ed, which is also how normal diffs head their changes. */
export function edScript(line: string): string | undefined {
  return edCommand.test(line.slice(0, 64))
    ? "this is an ed script or a normal diff; send a unified diff"
    : undefined;
}
