/** A model as the loop's generator: asks it, and finds the patch in its answer. */
import { patchFromAnswer } from "../loop/answer.ts";
import type { Model } from "../loop/client.ts";
import type { LoopDeps } from "../loop/loop.ts";
import type { Brief } from "../model/brief.ts";

/** `onWait` is told before each wait for an endpoint that can't answer at the moment. */
export function proposerOf(
  model: Model,
  brief: Brief,
  signal: AbortSignal,
  onWait: (message: string, ms: number) => void,
): LoopDeps["propose"] {
  return async ({ messages, deadline }) => {
    const reply = await model.ask(messages, { signal, deadline, onWait });
    if (reply === null) return null;
    const { text: answer, usage, isCut } = reply;
    const found = patchFromAnswer(answer, brief, isCut);
    return found.status === "patch"
      ? { answer, usage, isCut, patch: found.patch, why: "" }
      : { answer, usage, isCut, patch: null, why: found.why };
  };
}
