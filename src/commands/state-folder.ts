/** Where what must outlive a run is kept: the ledger of labels, and runs that were given no folder. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { openLedgerFile } from "../loop/ledger-file.ts";
import type { Ledger } from "../model/ledger.ts";

/** `HIDDEN_ORACLE_STATE`, else `XDG_STATE_HOME/hidden-oracle`, else `~/.local/state/hidden-oracle`. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (env.HIDDEN_ORACLE_STATE) return resolve(env.HIDDEN_ORACLE_STATE);
  return join(env.XDG_STATE_HOME || join(homedir(), ".local/state"), "hidden-oracle");
}

/** The ledger of this user. */
export function openLedger(): Ledger {
  return openLedgerFile(join(stateFolder(), "ledger.jsonl"));
}
