/** The real client put before a real server with a script. */
import { expect } from "vitest";
import { type Model, openModel } from "../../src/loop/client.ts";
import { GraderError } from "../../src/model/errors.ts";
import { type ModelServer, modelServer, type Step, says } from "./model-server.ts";

/** The key that every question carries, where a test does not say otherwise. */
export const key = "key-0123456789-of-the-tests";
/** What is asked. */
export const messages = [{ role: "user", content: "Mend it." }] as const;

interface Wishes {
  readonly stream?: boolean;
  readonly key?: string | null;
  readonly silenceMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** The client as a run opens it. */
export function open(baseUrl: string, wishes: Wishes = {}): Model {
  return openModel({
    baseUrl,
    model: "scripted",
    key,
    keyEnv: "TEST_KEY",
    temperature: null,
    stream: true,
    silenceMs: 60_000,
    ...wishes,
  });
}

/** No limits; a new signal each time. */
export const limits = () => ({ signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY });

/** Asks a server with that script, to the end. */
export async function ask(script: readonly Step[], wishes: Wishes = {}) {
  const server = await modelServer(script);
  const waits: [string, number][] = [];
  const onWait = (message: string, ms: number) => waits.push([message, ms]);
  const asked = open(server.baseUrl, wishes).ask(messages, { ...limits(), onWait });
  const outcome = await asked.then(
    (reply) => ({ reply, fault: undefined }),
    (fault: unknown) => ({ reply: undefined, fault }),
  );
  return { server, waits, ...outcome };
}

/** The fault that a step brings, after which nothing was asked again. */
export async function finalFault(
  step: Step,
  wishes: Wishes = {},
): Promise<{ fault: GraderError; server: ModelServer }> {
  const { fault, server } = await ask([step, says("too late")], wishes);
  expect(fault).toBeInstanceOf(GraderError);
  expect(server.requests).toHaveLength(1);
  return { fault: fault as GraderError, server };
}

/** An error answer. */
export const status = (code: number, body: string, headers: Record<string, string> = {}): Step => ({
  kind: "status",
  status: code,
  body,
  headers,
});
