/** Where the key of a sealed oracle comes from: an option, or the environment. */
import { readFileSync } from "node:fs";
import { GraderError } from "../model/errors.ts";

/** The file that an identity is read from, where one is named. */
export function identityFile(file: string | undefined): string | undefined {
  return file || process.env.HIDDEN_ORACLE_IDENTITY_FILE || undefined;
}

/** Text of the identity to open sealed files with; undefined where none is given. @throws GraderError 66 */
export function readIdentity(file: string | undefined): string | undefined {
  const path = identityFile(file);
  if (path === undefined) return process.env.HIDDEN_ORACLE_IDENTITY || undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new GraderError(66, `cannot read the identity file ${path} · ${code}`, {
      hint: "check its path and who may read it",
      cause,
    });
  }
}
