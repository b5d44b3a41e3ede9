/** The body of an error answer, of which no more is read than its message needs. */

const mostBytes = 8 * 1024;
/** The status is known by then; the server's words are worth no long wait. */
const patienceMs = 2000;

/**
 * `fetch`, whose error answers have a body that ends: its first 8 KiB, or what came of it within two seconds. The
 * rest is let go, and the connection with it.
 *
 * @param key Taken out of what is cut, since half a key would not be known any more.
 */
export function briefErrors(fetch: typeof globalThis.fetch, key: string | null): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok || response.body === null) return response;
    const { status, statusText, headers } = response;
    const { text, isWhole } = await startOf(response.body);
    return new Response(isWhole ? text : withoutKey(text, key), { status, statusText, headers });
  };
}

async function startOf(body: ReadableStream<Uint8Array>): Promise<{ text: string; isWhole: boolean }> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let [size, isWhole] = [0, true];
  const stop = () => {
    isWhole = false;
    // The body may have failed by itself, which is what the read below then says.
    reader.cancel().catch(() => undefined);
  };
  const timer = setTimeout(stop, patienceMs);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      size += next.value.length;
      if (size > mostBytes) stop();
    }
  } finally {
    clearTimeout(timer);
  }
  return { text: Buffer.concat(chunks).subarray(0, mostBytes).toString("utf8"), isWhole };
}

/** Without the key, and without a part of it that the cut has left at the end. */
function withoutKey(text: string, key: string | null): string {
  if (key === null) return text;
  const rest = text.replaceAll(key, "[key]");
  let letters = key.length - 1;
  while (letters > 0 && !rest.endsWith(key.slice(0, letters))) letters--;
  return rest.slice(0, rest.length - letters);
}
