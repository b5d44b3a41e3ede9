/** Where what must outlive a run is kept: the ledger of labels, and runs that were given no folder. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { openLedgerFile } from "../loop/ledger-file.ts";
import { GraderError } from "../model/errors.ts";
import type { Ledger } from "../model/ledger.ts";
import { makeFolder } from "../sandbox/make-folder.ts";

/** `HIDDEN_ORACLE_STATE`, else `XDG_STATE_HOME/hidden-oracle`, else `~/.local/state/hidden-oracle`. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.HIDDEN_ORACLE_STATE) return resolve(env.HIDDEN_ORACLE_STATE);
  return join(env.XDG_STATE_HOME || join(homedir(), ".local/state"), "hidden-oracle");
}

/** The ledger of this user. */
export function openLedger(): Ledger {
  makeOwnFolder(stateFolder());
  return openLedgerFile(join(stateFolder(), "ledger.jsonl"));
}

/** @throws GraderError 75 when the folder can't be made. */
export function makeOwnFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new GraderError(75, `cannot make the folder ${folder} · ${code}`, {
      hint: "name another folder, or set HIDDEN_ORACLE_STATE to one that can be written",
      cause,
    });
  }
}
