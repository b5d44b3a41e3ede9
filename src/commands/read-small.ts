/** Reads a file that is named on the command line whole, whatever it turns out to be. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { GraderError } from "../model/errors.ts";

/** How long a pipe may keep us waiting, in milliseconds. */
const patienceMs = 30_000;

/**
 * The bytes of a file, or of a pipe such as a shell makes of `<(command)`. A pipe without a writer is empty.
 *
 * @param most Bytes that are still taken.
 * @throws GraderError 66 that names the file, for all else.
 */
export function readSmall(path: string, most: number): Buffer {
  const fault = (why: string, cause?: unknown) =>
    new GraderError(66, `can't read ${path} · ${why}`, {
      hint: "check the path and who may read it",
      ...(cause === undefined ? {} : { cause }),
    });
  let fd: number;
  try {
    // A plain open of a pipe that nobody writes to would wait for ever, deaf to every signal.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw fault((error as NodeJS.ErrnoException).code ?? "unknown error", error);
  }
  try {
    const stat = fstatSync(fd);
    if (stat.isFIFO()) return readPipe(fd, most, fault);
    if (!stat.isFile()) throw fault("it is no file");
    if (stat.size > most) throw fault(`it is larger than ${most} bytes`);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function readPipe(fd: number, most: number, fault: (why: string) => GraderError): Buffer {
  const chunks: Buffer[] = [];
  const pause = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + patienceMs;
  for (let size = 0; ; ) {
    const chunk = Buffer.alloc(65_536);
    const count = readSome(fd, chunk);
    if (count === 0) return Buffer.concat(chunks);
    if (count === undefined) {
      if (performance.now() > deadline) throw fault("nothing came through the pipe");
      Atomics.wait(pause, 0, 0, 10);
      continue;
    }
    size += count;
    if (size > most) throw fault(`it is larger than ${most} bytes`);
    chunks.push(chunk.subarray(0, count));
  }
}

/** How many bytes came; undefined where none are there yet. */
function readSome(fd: number, into: Buffer): number | undefined {
  try {
    return readSync(fd, into);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}
