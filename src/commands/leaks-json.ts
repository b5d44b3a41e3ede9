/** The strings of a JSON text, each with the path that leads to it. */

/** One string, or the items of one list of strings or numbers taken together, as notebooks keep their lines. */
export interface JsonString {
  /** As in `$.messages[3].content`. */
  readonly path: string;
  readonly text: string;
}

/** Every string value at any depth, and every name of a member that is longer than names are. */
export function jsonStrings(root: unknown): JsonString[] {
  const found: JsonString[] = [];
  const waiting: { path: string; value: unknown }[] = [{ path: "$", value: root }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    if (typeof value === "string") found.push({ path, text: value });
    else if (Array.isArray(value)) {
      if (value.length > 0 && value.every(isPlain)) found.push({ path, text: joined(value) });
      else
        for (let i = value.length - 1; i >= 0; i--) waiting.push({ path: `${path}[${i}]`, value: value[i] });
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value).reverse()) {
        const at = /^[A-Za-z_]\w{0,60}$/.test(name)
          ? `${path}.${name}`
          : `${path}[${JSON.stringify(name.slice(0, 60))}]`;
        waiting.push({ path: at, value: inner });
        if (name.length > 40) found.push({ path: at, text: name });
      }
    }
  }
  return found;
}

function isPlain(item: unknown): item is string | number {
  return typeof item === "string" || typeof item === "number";
}

/** Lines that bring their own line ends are put together as they are. */
function joined(items: readonly (string | number)[]): string {
  const own = items.slice(0, -1).every((item) => typeof item === "string" && item.endsWith("\n"));
  const numbers = items.every((item) => typeof item === "number");
  return items.join(own ? "" : numbers ? ", " : "\n");
}
