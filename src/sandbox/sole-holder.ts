/** A name that one process of this machine holds at a time. */
import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Held until it is closed, or its process ends. */
export interface HeldName {
  close(): void;
}

/**
 * Null while another holds it. The name is one of Linux's abstract socket namespace: it is taken in one step, and the
 * kernel gives it back when its holder ends, however it ends.
 */
export function holdName(name: string): Promise<HeldName | null> {
  const digest = createHash("sha256").update(name).digest("hex");
  const lock = createServer().unref();
  return new Promise((resolve, reject) => {
    lock.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(null) : reject(error),
    );
    lock.listen(`\0hidden-oracle-${digest}`, () => resolve(lock));
  });
}

const everyMs = 100;

/** Does something once the name is free, and holds it meanwhile. @throws the signal's reason. */
export async function withName<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let held = await holdName(name);
  for (; held === null; held = await holdName(name))
    await pause(everyMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  try {
    return await work();
  } finally {
    held.close();
  }
}
