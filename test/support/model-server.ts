/** A real HTTP server on loopback that speaks chat-completions, with a script of what to answer, and all it was sent. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** One answer of the script. */
export type Step =
  | {
      readonly kind: "text";
      readonly text: string;
      /** Tokens told; none are told where it is absent. */
      readonly usage?: readonly [number, number];
      /** Answers a request for a stream with a whole answer. */
      readonly whole?: boolean;
    }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** Sends half of the text and breaks the connection. */
  | { readonly kind: "cut"; readonly text: string }
  /** Ends the stream in good order, but in the middle of the answer. */
  | { readonly kind: "unfinished"; readonly text: string }
  /** A body that is no chat completion. */
  | { readonly kind: "body"; readonly body: string; readonly type: string }
  /** Begins with `head` and says `again` over and over, without an end. */
  | {
      readonly kind: "endless";
      readonly status: number;
      readonly type: string;
      readonly head: string;
      readonly again: string;
    }
  /** Never answers. */
  | { readonly kind: "silence" };

/** A request as it came. */
export interface SentRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A server that answers one step after another; the last one again and again. */
export interface ModelServer {
  readonly baseUrl: string;
  readonly requests: SentRequest[];
  /** Everything that was ever sent here, headers and bodies. */
  readonly bytes: () => string;
  /** Endless answers that nobody listens to any more. */
  readonly dropped: () => number;
  /** Called when a request came, before it is answered. */
  onRequest: (count: number) => void;
}

/** A text answer with usage figures. */
export function says(text: string): Step {
  return { kind: "text", text, usage: [100, 20] };
}

/** Starts a server for the calling test file; it ends with it. */
export async function modelServer(script: readonly Step[]): Promise<ModelServer> {
  const requests: SentRequest[] = [];
  const state = { onRequest: (_count: number) => undefined as unknown, dropped: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const step = script[Math.min(requests.length, script.length - 1)] ?? { kind: "silence" as const };
      requests.push({ path: request.url ?? "", headers: request.headers, body });
      state.onRequest(requests.length);
      if (step.kind === "endless") response.on("close", () => state.dropped++);
      answer(step, body.includes('"stream":true'), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    bytes: () => requests.map((each) => JSON.stringify(each.headers) + each.path + each.body).join("\n"),
    dropped: () => state.dropped,
    set onRequest(listener: (count: number) => void) {
      state.onRequest = listener;
    },
  };
}

function answer(step: Step, stream: boolean, response: ServerResponse): void {
  switch (step.kind) {
    case "silence":
      return;
    case "status":
      response.writeHead(step.status, { "content-type": "application/json", ...step.headers });
      response.end(step.body);
      return;
    case "body":
      response.writeHead(200, { "content-type": step.type });
      response.end(step.body);
      return;
    case "endless":
      response.writeHead(step.status, { "content-type": step.type });
      response.write(step.head);
      keepSaying(step.again, response);
      return;
    case "cut":
      startStream(response, step.text);
      setTimeout(() => response.destroy(), 20);
      return;
    case "unfinished":
      startStream(response, step.text);
      response.end();
      return;
    case "text":
      if (stream && !step.whole) streamed(step.text, step.usage, response);
      else whole(step.text, step.usage, response);
  }
}

function keepSaying(text: string, response: ServerResponse): void {
  if (text === "") return;
  const timer = setInterval(() => response.write(text), 20);
  response.on("close", () => clearInterval(timer));
}

function usageOf(usage: readonly [number, number] | undefined): object {
  if (usage === undefined) return {};
  const [prompt_tokens, completion_tokens] = usage;
  return { usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens } };
}

function whole(text: string, usage: readonly [number, number] | undefined, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const message = { role: "assistant", content: text };
  response.end(
    JSON.stringify({
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      ...usageOf(usage),
    }),
  );
}

function event(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ object: "chat.completion.chunk", choices })}\n\n`;
}

function startStream(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(event({ role: "assistant", content: text }, null));
}

function streamed(
  text: string,
  usage: readonly [number, number] | undefined,
  response: ServerResponse,
): void {
  const half = Math.floor(text.length / 2);
  startStream(response, text.slice(0, half));
  response.write(event({ content: text.slice(half) }, null));
  response.write(event({}, "stop"));
  if (usage !== undefined) response.write(`data: ${JSON.stringify({ choices: [], ...usageOf(usage) })}\n\n`);
  response.end("data: [DONE]\n\n");
}
