/** Many pieces of work at a time, their results in the order of the inputs. */
import pLimit from "p-limit";

/** How much is going on at once. */
export interface Flow {
  /** Pieces of work at a time. */
  readonly inFlight: number;
  /** Inputs that may be taken before the first of them is done: bounds what is kept in memory. */
  readonly window: number;
}

type Settled<R> =
  | { readonly done: true; readonly value: R }
  | { readonly done: false; readonly error: unknown };

/**
 * Works on `inputs` as they come. When a piece throws, no further one is started, the others are waited for,
 * the results that came are still given, and then the error is thrown.
 */
export async function* inOrder<T, R>(
  inputs: AsyncIterable<T>,
  flow: Flow,
  work: (input: T) => Promise<R>,
): AsyncGenerator<R> {
  const iterator = inputs[Symbol.asyncIterator]();
  const limit = pLimit(flow.inFlight);
  const queue: Promise<Settled<R>>[] = [];
  const failure: { error: unknown }[] = [];
  const settle = async (input: T): Promise<Settled<R>> => {
    try {
      // What waits for its turn when another fails is not begun.
      if (failure[0]) throw failure[0].error;
      return { done: true, value: await work(input) };
    } catch (error) {
      failure.push({ error });
      return { done: false, error };
    }
  };
  let [isOver, pulling]: [boolean, Promise<unknown> | undefined] = [false, undefined];
  const pull = async () => {
    try {
      const next = await iterator.next();
      if (next.done) isOver = true;
      else queue.push(limit(() => settle(next.value)));
    } catch (error) {
      failure.push({ error });
    }
    pulling = undefined;
  };
  while (!failure[0] && !(isOver && queue.length === 0)) {
    if (!isOver && !pulling && queue.length < flow.window) pulling = pull();
    const [head] = queue;
    const first = await Promise.race([head, pulling].filter((p) => p !== undefined));
    if (head === undefined || !isSettled<R>(first)) continue;
    if (first.done) {
      await queue.shift();
      yield first.value;
    }
  }
  for (const rest of await Promise.all(queue)) if (rest.done) yield rest.value;
  if (failure[0]) throw failure[0].error;
}

function isSettled<R>(value: unknown): value is Settled<R> {
  return typeof value === "object" && value !== null && "done" in value;
}
