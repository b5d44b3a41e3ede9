/** The bytes of a patch, from a file, a pipe or standard input: never more than can be a patch. */
import { closeSync, constants, createReadStream, openSync, type Stats, statSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { GraderError } from "../model/errors.ts";

/** One byte more than the largest patch: enough to tell that it is too large. */
const most = 8 * 1024 * 1024 + 1;

/** @throws GraderError 66 when there is nothing that can be read, 130 or 143 when interrupted. */
export async function readPatch(path: string, signal: AbortSignal): Promise<Uint8Array> {
  if (path === "-" || path === "/dev/stdin") return readCapped(process.stdin, signal, "standard input");
  let stat: Stats;
  try {
    stat = statSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
  if (stat.isDirectory())
    throw new GraderError(66, `the patch is a folder · ${path}`, {
      hint: "name a file, or grade all of the folder with `hidden-oracle batch`",
    });
  if (!stat.isFIFO()) return readCapped(createReadStream(path, { end: most - 1 }), signal, path);
  return readCapped(openPipe(path), signal, path);
}

/** A pipe, opened so that waiting for its writer can be interrupted: a plain open could not, not even at exit. */
function openPipe(path: string): Readable {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return new Socket({ fd, readable: true, writable: false });
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readCapped(stream: Readable, signal: AbortSignal, name: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = () => stream.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= most) break;
    }
    return Buffer.concat(chunks).subarray(0, most);
  } catch (error) {
    throw error instanceof GraderError ? error : unreadable(name, error);
  } finally {
    signal.removeEventListener("abort", stop);
    stream.destroy();
  }
}

function unreadable(path: string, error: unknown): GraderError {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  const words: Readonly<Record<string, string>> = {
    ENOENT: "no such patch",
    EACCES: "the patch may not be read",
  };
  return new GraderError(66, `${words[code] ?? `the patch can't be read (${code})`} · ${path}`, {
    hint: code === "ENOENT" ? "check the path, or give the patch on standard input with -" : "check the file",
    cause: error,
  });
}
