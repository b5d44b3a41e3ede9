/** Where the key of a sealed oracle comes from: an option, or the environment. */
import { readSmall } from "./read-small.ts";

/** The file that an identity is read from, where one is named. */
export function identityFile(file: string | undefined): string | undefined {
  return file || process.env.HIDDEN_ORACLE_IDENTITY_FILE || undefined;
}

/** Text of the identity to open sealed files with; undefined where none is given. @throws GraderError 66 */
export function readIdentity(file: string | undefined): string | undefined {
  const path = identityFile(file);
  if (path === undefined) return process.env.HIDDEN_ORACLE_IDENTITY || undefined;
  return readSmall(path, 1 << 20).toString("utf8");
}
