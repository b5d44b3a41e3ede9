/** Standard output and error: whole writes, quiet when nobody reads, colours only where they are seen. */
import { GraderError } from "../model/errors.ts";
import { type Paint, paintWith } from "../report/paint.ts";

/** Writes to standard output; false when its reader has gone. @throws GraderError 75 when it can't be written. */
export function writeOut(text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      const code = (error as NodeJS.ErrnoException | null | undefined)?.code;
      if (!error) resolve(true);
      else if (code === "EPIPE" || code === "ERR_STREAM_DESTROYED") resolve(false);
      else
        reject(
          new GraderError(75, `cannot write to standard output · ${code ?? error.message}`, {
            hint: "free space where it is redirected to, then try again",
            cause: error,
          }),
        );
    });
  });
}

/** Writes lines to standard error. */
export function writeErr(...lines: readonly string[]): void {
  if (lines.length > 0) process.stderr.write(`${lines.join("\n")}\n`);
}

/** Colours for a stream: none with NO_COLOR, always with FORCE_COLOR, else where it is a terminal. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
  if (env.NO_COLOR) return paintWith(false);
  if (env.FORCE_COLOR !== undefined) return paintWith(env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false");
  return paintWith(stream.isTTY === true && env.TERM !== "dumb");
}
