/** The body of a chat completion, streamed or whole → its text and figures. */
import type OpenAI from "openai";
import { Stream } from "openai/streaming";
import type { Message } from "../model/brief.ts";
import type { Usage } from "../model/transcript.ts";
import { AnsweredError, looksLikeHtml, ModelFault } from "./model-fault.ts";

/** What came back. */
export interface Reply {
  readonly text: string;
  readonly usage: Usage;
  /** The model stopped at its limit of tokens, in the middle of what it had to say. */
  readonly isCut: boolean;
}

const largest = 16 * 1024 * 1024;
const notAnApi = "check --base-url: this address answers, but not as a chat-completions API";

/**
 * Reads a reply to its end. `onWord` is called with every piece of an answer, so that a silent server can be told from a
 * slow one: what a server sends only to keep a connection open is no such piece.
 */
export async function readReply(
  response: Response,
  asked: readonly Message[],
  { client, abort, onWord }: { client: OpenAI; abort: AbortController; onWord: () => void },
): Promise<Reply> {
  const isStream = (response.headers.get("content-type") ?? "").includes("text/event-stream");
  const tapped = tap(response, isStream ? () => undefined : onWord);
  const draft = isStream
    ? await readStream(tapped, { client, abort, onWord })
    : readWhole(await tapped.response.text());
  return { ...draft, usage: draft.usage ?? estimate(asked, draft.text) };
}

interface Draft {
  text: string;
  usage: Usage | undefined;
  isCut: boolean;
}

interface Tapped {
  readonly response: Response;
  /** Whether the stream's own end mark has passed. */
  readonly isDone: () => boolean;
}

function tap(response: Response, onText: () => void): Tapped {
  let [size, tail] = [0, ""];
  const through = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (!chunk.every(isSpace)) onText();
      size += chunk.length;
      tail = (tail + Buffer.from(chunk).toString("latin1")).slice(-64);
      if (size > largest)
        throw new ModelFault(
          "final",
          "the answer is larger than 16 MiB",
          "ask a model that keeps to the task",
        );
      controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  const body = response.body?.pipeThrough(through) ?? null;
  return { response: new Response(body, { status, headers }), isDone: () => tail.includes("[DONE]") };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

type Chunk = Partial<OpenAI.ChatCompletionChunk>;

/** A stream counts when it says that it is over: a connection that merely ended may have lost half a patch. */
async function readStream(
  { response, isDone }: Tapped,
  { client, abort, onWord }: { client: OpenAI; abort: AbortController; onWord: () => void },
): Promise<Draft> {
  const draft: Draft = { text: "", usage: undefined, isCut: false };
  let isFinished = false;
  for await (const chunk of Stream.fromSSEResponse<Chunk>(response, abort, client)) {
    const choice = chunk?.choices?.[0];
    if (saysSomething(choice?.delta)) onWord();
    draft.text += contentOf(choice?.delta);
    if (choice?.finish_reason) isFinished = true;
    draft.isCut ||= choice?.finish_reason === "length";
    draft.usage = usageOf(chunk?.usage) ?? draft.usage;
  }
  if (!isFinished && !isDone())
    throw new ModelFault(
      "again",
      "the stream ended before its end",
      "try again later, and go on with --resume",
    );
  return draft;
}

/** Text, or thoughts under whatever name a server gives them. */
function saysSomething(delta: unknown): boolean {
  const { role: _role, ...parts } = (delta ?? {}) as Record<string, unknown>;
  return Object.values(parts).some(
    (part) => (typeof part === "string" || Array.isArray(part)) && part.length > 0,
  );
}

function readWhole(body: string): Draft {
  if (body.trim() === "")
    throw new ModelFault(
      "again",
      "the endpoint sends an empty answer",
      "try again later, and go on with --resume",
    );
  const completion = parsed(body);
  const choice = completion?.choices?.[0];
  const message = choice?.message;
  if (message === undefined || message === null) {
    const { error } = (completion ?? {}) as { error?: unknown };
    if (error !== undefined && error !== null) throw new AnsweredError(error);
    throw new ModelFault("final", "the endpoint's answer is no chat completion", notAnApi);
  }
  const isCut = choice?.finish_reason === "length";
  return { text: contentOf(message), usage: usageOf(completion?.usage), isCut };
}

function parsed(body: string): Partial<OpenAI.ChatCompletion> | null {
  if (looksLikeHtml(body))
    throw new ModelFault("final", "the endpoint answers with a page of HTML", notAnApi);
  try {
    return JSON.parse(body) as Partial<OpenAI.ChatCompletion> | null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ModelFault("final", "the endpoint's answer is not JSON", notAnApi);
  }
}

/** Text, the texts of a list of parts, or the words of a refusal. */
function contentOf(part: unknown): string {
  const { content, refusal } = (part ?? {}) as { content?: unknown; refusal?: unknown };
  if (typeof content === "string") return content;
  if (Array.isArray(content))
    return content
      .map((each: { text?: unknown } | null) => (typeof each?.text === "string" ? each.text : ""))
      .join("");
  return typeof refusal === "string" ? refusal : "";
}

function usageOf(usage: unknown): Usage | undefined {
  const { prompt_tokens, completion_tokens } = (usage ?? {}) as Record<string, unknown>;
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  if (!isCount(prompt_tokens) || !isCount(completion_tokens)) return undefined;
  return { prompt: prompt_tokens, completion: completion_tokens, estimated: false };
}

/** Four characters a token: enough for a budget where a server gives no figures. */
export function estimate(asked: readonly Message[], answer: string): Usage {
  const characters = asked.reduce((sum, { content }) => sum + content.length, 0);
  return { prompt: Math.ceil(characters / 4), completion: Math.ceil(answer.length / 4), estimated: true };
}
