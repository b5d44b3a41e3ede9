/** A folder's content as data: what a program left in it, whatever that is. */
import type { Bytes } from "./task.ts";

/** One entry that is no folder. Links are data too: nobody follows them. */
export type TreeEntry =
  | { readonly kind: "file"; readonly bytes: Bytes; readonly executable: boolean }
  | { readonly kind: "link"; readonly target: Bytes }
  /** A file too large to be read. */
  | { readonly kind: "large" }
  /** A pipe, a socket, a device. */
  | { readonly kind: "special" };

/** Entries by path. Paths are bytes as latin1 strings, as the system has them. */
export type Tree = ReadonlyMap<Bytes, TreeEntry>;
