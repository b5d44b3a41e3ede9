/** Asks a model over the chat-completions protocol: with retries, within a deadline, and without telling its key. */
import { setTimeout as pause } from "node:timers/promises";
import OpenAI from "openai";
import type { Message } from "../model/brief.ts";
import { briefErrors } from "./error-body.ts";
import { asGraderError, type Endpoint, faultOf, ModelFault } from "./model-fault.ts";
import { type Reply, readReply } from "./read-reply.ts";

/** How to reach a model. */
export interface ModelOptions {
  readonly baseUrl: string;
  readonly model: string;
  /** Null where the endpoint asks for none. */
  readonly key: string | null;
  /** Name of the variable that the key came from, for messages. */
  readonly keyEnv: string;
  readonly temperature: number | null;
  readonly stream: boolean;
  /** A server that sends no piece of an answer for so long is given up, in milliseconds. */
  readonly silenceMs: number;
  /** In place of Node's own, for proxies. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What bounds one question. */
export interface AskLimits {
  readonly signal: AbortSignal;
  /** In the time of `Date.now()`; infinite where there is none. */
  readonly deadline: number;
  /** Told before each wait. */
  readonly onWait?: (message: string, ms: number) => void;
}

/** A model that can be asked. */
export interface Model {
  /** Null when the deadline came first. @throws GraderError 69 or 75 when the endpoint gives no answer. */
  ask(messages: readonly Message[], limits: AskLimits): Promise<Reply | null>;
}

const retries = 5;
const longestWaitMs = 10 * 60_000;

/** Opens a model; nothing is sent yet. */
export function openModel(options: ModelOptions): Model {
  const hide = keyHider(options.key);
  const endpoint: Endpoint = {
    url: plainUrl(options.baseUrl),
    model: options.model,
    keyEnv: options.keyEnv,
    hide,
  };
  const client = new OpenAI({
    baseURL: options.baseUrl,
    // The library insists on one; without a key of ours its header is taken away again below.
    apiKey: options.key ?? "none",
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: options.silenceMs,
    logLevel: "off",
    // A redirect would carry the brief, and perhaps the key, to a place that nobody named.
    fetchOptions: { redirect: "manual" },
    ...(options.key === null ? { defaultHeaders: { Authorization: null } } : {}),
    fetch: briefErrors(options.fetch ?? globalThis.fetch, options.key),
  });
  let stream = options.stream;
  return {
    ask: async (messages, limits) => {
      for (let tries = 1; ; ) {
        try {
          const reply = await askOnce(client, { ...options, stream }, messages, limits);
          return reply && { ...reply, text: hide(reply.text) };
        } catch (error) {
          limits.signal.throwIfAborted();
          const fault = faultOf(error, endpoint);
          if (fault.kind === "plain" && stream) stream = false;
          else if (fault.kind !== "again" || tries > retries) throw asGraderError(fault, endpoint, tries);
          else if (!(await waited(fault, tries++, endpoint, limits))) return null;
        }
      }
    },
  };
}

/** One request. Null when the deadline came. */
async function askOnce(
  client: OpenAI,
  { model, temperature, stream, silenceMs }: ModelOptions,
  messages: readonly Message[],
  { signal, deadline }: AskLimits,
): Promise<Reply | null> {
  const left = deadline - Date.now();
  if (left <= 0) return null;
  const abort = new AbortController();
  let why: "silence" | "deadline" | undefined;
  const give = (reason: "silence" | "deadline") => () => {
    why = reason;
    abort.abort();
  };
  const silence = setTimeout(give("silence"), silenceMs);
  const end = Number.isFinite(left) ? setTimeout(give("deadline"), Math.min(left, 2 ** 31 - 1)) : undefined;
  const asked = { model, messages: [...messages], ...(temperature === null ? {} : { temperature }) };
  const body = stream ? { ...asked, stream, stream_options: { include_usage: true } } : asked;
  try {
    const request = client.chat.completions.create(body, { signal: AbortSignal.any([signal, abort.signal]) });
    const response = await request.asResponse();
    const reply = await readReply(response, messages, { client, abort, onWord: () => silence.refresh() });
    // A stream that was aborted ends without a word.
    if (why !== undefined) throw new Error(why);
    return reply;
  } catch (error) {
    if (why === "deadline" && !signal.aborted) return null;
    if (why === "silence")
      throw new ModelFault(
        "again",
        `no part of an answer came for ${silenceMs / 1000} s`,
        "try again later, or give a slow model longer with --timeout",
      );
    throw error;
  } finally {
    clearTimeout(silence);
    clearTimeout(end);
  }
}

/** Waits before the next try, as long as the server asks or ever longer; false where the deadline forbids it. */
async function waited(
  fault: ModelFault,
  tries: number,
  endpoint: Endpoint,
  limits: AskLimits,
): Promise<boolean> {
  const ms = fault.waitMs ?? Math.min(30_000, 500 * 2 ** (tries - 1)) * (1 - Math.random() / 4);
  if (ms > longestWaitMs && !Number.isFinite(limits.deadline)) throw asGraderError(fault, endpoint, tries);
  if (Date.now() + ms >= limits.deadline) return false;
  limits.onWait?.(endpoint.hide(fault.message), ms);
  await pause(ms, undefined, { signal: limits.signal }).catch(() => limits.signal.throwIfAborted());
  return true;
}

/** A key that a server echoes must not reach a message or a file. Shorter ones are placeholders, and common words. */
function keyHider(key: string | null): (text: string) => string {
  return key === null || key.length < 8 ? (text) => text : (text) => text.replaceAll(key, "[key]");
}

/** A URL without credentials and query, for messages and files. */
export function plainUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
