/** Takes values that nobody may see out of a text, a value that a cut went through included. */

/** Values by the name that takes their place. */
export type Secrets = ReadonlyMap<string, string>;

/** Shorter values are switches, and would be found everywhere. */
const shortest = 4;
/** A line of a value of several lines, such as a key file's, is a secret of its own from here on. */
const shortestLine = 8;
const cut = /\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/;

/** Names and texts to look for, the longest first, so that none is hidden by a part of it. */
function textsOf(secrets: Secrets): [string, string][] {
  const texts = [...secrets].flatMap(([name, value]): [string, string][] => {
    const lines = value.includes("\n")
      ? value.split(/\r?\n/).filter((line) => line.length >= shortestLine)
      : [];
    return [value, ...lines].filter((text) => text.length >= shortest).map((text) => [name, text]);
  });
  return texts.sort(([, a], [, b]) => b.length - a.length);
}

/** The text with `[NAME]` in the place of each value. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  const texts = textsOf(secrets);
  let kept = text;
  const mark = cut.exec(text)?.[0];
  for (const [, value] of mark === undefined ? [] : texts) kept = withoutHalves(kept, mark ?? "", value);
  for (const [name, value] of texts) kept = kept.replaceAll(value, `[${name}]`);
  return kept;
}

/** Whether a text holds one of the values; its name if so. */
export function secretIn(text: string, secrets: Secrets): string | undefined {
  return textsOf(secrets).find(([, value]) => text.includes(value))?.[0];
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
