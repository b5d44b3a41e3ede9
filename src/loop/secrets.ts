/** Takes values that nobody may see out of a text, a value that a cut went through included. */

/** Values by the name that takes their place. */
export type Secrets = ReadonlyMap<string, string>;

/** Shorter values are switches, and would be found everywhere. */
const shortest = 4;
const cut = /\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/;

/** The text with `[NAME]` in the place of each value. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  const longestFirst = [...secrets]
    .filter(([, value]) => value.length >= shortest)
    .sort(([, a], [, b]) => b.length - a.length);
  let kept = text;
  const mark = cut.exec(text)?.[0];
  for (const [, value] of mark === undefined ? [] : longestFirst)
    kept = withoutHalves(kept, mark ?? "", value);
  for (const [name, value] of longestFirst) kept = kept.replaceAll(value, `[${name}]`);
  return kept;
}

/** Whether a text holds one of the values; its name if so. */
export function secretIn(text: string, secrets: Secrets): string | undefined {
  for (const [name, value] of secrets) if (value.length >= shortest && text.includes(value)) return name;
  return undefined;
}

/** Without the start of a value before the cut, and without the end of one after it. */
function withoutHalves(text: string, mark: string, value: string): string {
  const at = text.indexOf(mark);
  const [head, tail] = [text.slice(0, at), text.slice(at + mark.length)];
  const lengths = Array.from({ length: value.length - 1 }, (_, less) => value.length - 1 - less);
  const before = lengths.find((length) => head.endsWith(value.slice(0, length))) ?? 0;
  const after = lengths.find((length) => tail.startsWith(value.slice(-length))) ?? 0;
  return head.slice(0, head.length - before) + mark + tail.slice(after);
}
