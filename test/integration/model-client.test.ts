/** The real client against a real server that answers, stumbles, breaks off and talks nonsense. */
import { createServer } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { proxyFetch } from "../../src/loop/proxy-fetch.ts";
import { GraderError } from "../../src/model/errors.ts";
import { ask, finalFault, key, limits, messages, open, status } from "../support/ask-model.ts";
import { modelServer, type Step, says } from "../support/model-server.ts";

const soon = { "retry-after-ms": "5" };

describe("an answer", () => {
  test("is put together from a stream, with the server's own figures", async () => {
    const { reply, server } = await ask([says("a patch")]);
    expect(reply).toEqual({
      text: "a patch",
      usage: { prompt: 100, completion: 20, estimated: false },
      isCut: false,
    });
    const { body, headers, path } = server.requests[0] ?? { body: "", headers: {}, path: "" };
    expect(JSON.parse(body)).toEqual({
      model: "scripted",
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect([path, headers.authorization]).toEqual(["/v1/chat/completions", `Bearer ${key}`]);
  });

  test("is asked for whole where streaming is off", async () => {
    const { reply, server } = await ask([says("a patch")], { stream: false });
    expect(reply?.text).toBe("a patch");
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({ model: "scripted", messages });
  });

  test("is taken whole from a server that was asked for a stream and sends none", async () => {
    const { reply } = await ask([{ kind: "text", text: "a patch", usage: [7, 3], whole: true }]);
    expect(reply).toEqual({
      text: "a patch",
      usage: { prompt: 7, completion: 3, estimated: false },
      isCut: false,
    });
  });

  test("is asked for again without a stream where the server refuses streams", async () => {
    const refusal = status(400, '{"error":{"message":"stream is not supported"}}');
    const { reply, server } = await ask([refusal, says("a patch")]);
    expect(reply?.text).toBe("a patch");
    expect(server.requests.map(({ body }) => body.includes('"stream":true'))).toEqual([true, false]);
  });

  test.each([[undefined], [[-1, 5]], [[1e308, 1e308]], [[0.5, 5]]] as const)(
    "with figures that can't be (%j) is counted at four characters a token",
    async (usage) => {
      const { reply } = await ask([{ kind: "text", text: "12345678", ...(usage && { usage }) }]);
      expect(reply?.usage).toEqual({ prompt: 2, completion: 2, estimated: true });
    },
  );

  test.each([
    ["whole", '{"choices":[{"message":{"content":"a pa"},"finish_reason":"length"}]}', "application/json"],
    [
      "streamed",
      'data: {"choices":[{"delta":{"content":"a pa"}}]}\n\ndata: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\n',
      "text/event-stream",
    ],
  ])("that came to the limit of its tokens is told, %s", async (_how, body, type) => {
    const { reply } = await ask([{ kind: "body", body, type }]);
    expect(reply).toMatchObject({ text: "a pa", isCut: true });
  });

  test("is asked for without a key where there is none", async () => {
    const { server } = await ask([says("a patch")], { key: null });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test("that repeats the key does not bring it in", async () => {
    const { reply } = await ask([says(`your key is ${key}, is it not?`)]);
    expect(reply?.text).toBe("your key is [key], is it not?");
  });
});

describe("a server that stumbles", () => {
  test("with 429 is asked again after as long as it says", async () => {
    const { reply, waits } = await ask([status(429, "{}", { "retry-after": "1" }), says("a patch")]);
    expect(reply?.text).toBe("a patch");
    expect(waits).toEqual([[expect.stringContaining("429"), 1000]]);
  });

  test("with 500 and a page of HTML is asked again, and the page is not shown", async () => {
    const page = status(502, "<html><body>Bad gateway</body></html>", {
      ...soon,
      "content-type": "text/html",
    });
    const { reply, waits } = await ask([page, status(500, "", soon), says("a patch")]);
    expect(reply?.text).toBe("a patch");
    expect(waits.map(([message]) => message)).toEqual([
      "the endpoint can't answer: 502 · a page of HTML",
      expect.stringContaining("500"),
    ]);
  });

  test("waits ever longer between tries where the server names no time", async () => {
    const { waits } = await ask([status(503, "{}"), status(503, "{}"), says("a patch")]);
    const [first = 0, second = 0] = waits.map(([, ms]) => ms);
    expect(first).toBeGreaterThanOrEqual(375);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(750);
  });

  test.each<[string, Step]>([
    ["a connection that breaks in the middle", { kind: "cut", text: "half a pa" }],
    ["a stream that ends before its end", { kind: "unfinished", text: "half a pa" }],
    ["a stream of nonsense", { kind: "body", body: "data: {nonsense\n\n", type: "text/event-stream" }],
    [
      "an error inside the stream",
      { kind: "body", body: 'data: {"error":{"message":"overloaded"}}\n\n', type: "text/event-stream" },
    ],
    ["an empty body", { kind: "body", body: "", type: "application/json" }],
  ])("with %s is asked again, and half an answer counts for nothing", async (_name, step) => {
    const { reply, server } = await ask([step, says("a patch")]);
    expect(reply?.text).toBe("a patch");
    expect(server.requests).toHaveLength(2);
  });

  test("with silence is given up and asked again", async () => {
    const { reply, waits } = await ask([{ kind: "silence" }, says("a patch")], { silenceMs: 300 });
    expect(reply?.text).toBe("a patch");
    expect(waits).toHaveLength(1);
  });

  test.each([
    [{ type: "rate_limit_error" }],
    [{ code: "server_error" }],
    [{ code: 503 }],
    [{ code: "429", type: "invalid" }],
  ])("and says so in a 200 (%j) is asked again", async (error) => {
    const body = JSON.stringify({ error: { message: `busy ${key}`, ...error } });
    const { reply, waits } = await ask([{ kind: "body", body, type: "application/json" }, says("a patch")]);
    expect(reply?.text).toBe("a patch");
    expect(waits).toEqual([[expect.stringContaining("busy [key]"), expect.any(Number)]]);
  });

  test("for good ends with 75 and the number of tries", async () => {
    const { fault, server } = await ask([status(500, '{"error":{"message":"broken"}}', soon)]);
    expect(fault).toMatchObject({
      exit: 75,
      message: expect.stringMatching(/500 · broken · http.*\/v1 · 6 tries/),
    });
    expect(server.requests).toHaveLength(6);
  });
});

describe("a server that will never answer", () => {
  test.each<[string, Step, string, RegExp]>([
    [
      "401",
      status(401, '{"error":{"message":"Incorrect API key"}}'),
      "refuses the key: 401 · Incorrect",
      /TEST_KEY/,
    ],
    ["403", status(403, "{}"), "refuses the key: 403", /TEST_KEY/],
    ["404", status(404, '{"error":{"message":"no such model"}}'), "404 · no such model", /\/v1/],
    [
      "400",
      status(400, '{"error":{"message":"temperature is odd"}}'),
      "400 · temperature is odd",
      /--temperature/,
    ],
    ["a redirect", status(301, "", { location: "http://elsewhere.invalid/" }), "redirect: 301", /elsewhere/],
    [
      "a page of HTML",
      { kind: "body", body: "<!DOCTYPE html><p>Welcome", type: "text/html" },
      "page of HTML",
      /--base-url/,
    ],
    ["what is not JSON", { kind: "body", body: "hello", type: "text/plain" }, "not JSON", /--base-url/],
    [
      "JSON of another kind",
      { kind: "body", body: '{"choices":[]}', type: "application/json" },
      "no chat completion",
      /--base-url/,
    ],
    ...[
      { code: 401 },
      { type: "invalid_request_error" },
      { code: "insufficient_quota", type: "insufficient_quota" },
    ].map((error): [string, Step, string, RegExp] => [
      `${JSON.stringify(error)} in a 200`,
      {
        kind: "body",
        body: JSON.stringify({ error: { message: `no, ${key}`, ...error } }),
        type: "application/json",
      },
      "no, [key]",
      /^check /,
    ]),
    [
      "a mere word for an error in a 200",
      { kind: "body", body: '{"error":"no such model"}', type: "application/json" },
      "answers with an error: no such model",
      /--model/,
    ],
    [
      "more than any patch",
      { kind: "body", body: "x".repeat(17 * 1024 * 1024), type: "application/json" },
      "larger than 16 MiB",
      /ask a model/,
    ],
    [
      "a stream of more than any patch",
      {
        kind: "body",
        body: `data: {"choices":[{"delta":{"content":"${"x".repeat(1000)}"}}]}\n\n`.repeat(17_000),
        type: "text/event-stream",
      },
      "larger than 16 MiB",
      /ask a model/,
    ],
    ["null", { kind: "body", body: "null", type: "application/json" }, "no chat completion", /--base-url/],
  ])("but with %s is not asked again, and the fault says what to do", async (_name, step, message, hint) => {
    const { fault } = await finalFault(step);
    expect(fault).toMatchObject({
      exit: 69,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(hint),
    });
  });

  test.each([0, 90, 110])(
    "and repeats the key in its error after %i letters shows no part of it",
    async (letters) => {
      const words = `${"x".repeat(letters)} ${key}`;
      for (const step of [
        status(401, JSON.stringify({ error: { message: words } })),
        status(404, words),
        status(301, "", { location: `http://elsewhere.invalid/${words.replace(" ", "/")}` }),
      ]) {
        const { fault } = await finalFault(step);
        const told = `${fault.message} ${fault.hint} ${fault.stack} ${String(fault.cause)}`;
        expect(told).not.toContain(key.slice(0, 6));
        if (letters === 0) expect(told).toContain("[key]");
      }
    },
  );
});

test("a port where nothing listens is named as such before it is tried again", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as { port: number };
  await new Promise((resolve) => closed.close(resolve));
  const interruption = new AbortController();
  const waits: string[] = [];
  const onWait = (message: string) => {
    waits.push(message);
    interruption.abort(new GraderError(130, "interrupted"));
  };
  const asked = open(`http://127.0.0.1:${port}/v1`).ask(messages, {
    ...limits(),
    signal: interruption.signal,
    onWait,
  });
  await expect(asked).rejects.toMatchObject({ exit: 130 });
  expect(waits).toEqual(["nothing listens there (ECONNREFUSED)"]);
});

describe("a deadline", () => {
  test("ends a silent question without an answer", async () => {
    const server = await modelServer([{ kind: "silence" }]);
    const asked = open(server.baseUrl).ask(messages, { ...limits(), deadline: Date.now() + 200 });
    expect(await asked).toBeNull();
  });

  test("that is nearer than what the server asks to wait ends at once", async () => {
    const server = await modelServer([status(429, "{}", { "retry-after": "3600" })]);
    const asked = open(server.baseUrl).ask(messages, { ...limits(), deadline: Date.now() + 60_000 });
    expect(await asked).toBeNull();
  });

  test("is not needed for a server that asks to wait an hour to be given up", async () => {
    const { fault } = await finalFault(status(429, "{}", { "retry-after": "3600" }));
    expect(fault).toMatchObject({ exit: 75 });
  });
});

test("an interruption ends a question with its own reason", async () => {
  const server = await modelServer([{ kind: "silence" }]);
  const interruption = new AbortController();
  server.onRequest = () => interruption.abort(new GraderError(130, "interrupted"));
  const asked = open(server.baseUrl).ask(messages, { ...limits(), signal: interruption.signal });
  await expect(asked).rejects.toMatchObject({ exit: 130 });
});

describe("a proxy", () => {
  test("gets plain requests whole, with its own credentials apart from the key", async () => {
    const proxy = await modelServer([says("through the proxy")]);
    const address = new URL(proxy.baseUrl);
    [address.username, address.password] = ["me", "secret"];
    const reply = await open("http://models.invalid/v1", { fetch: proxyFetch(address) }).ask(
      messages,
      limits(),
    );
    expect(reply?.text).toBe("through the proxy");
    const { path, headers } = proxy.requests[0] ?? { path: "", headers: {} };
    expect(path).toBe("http://models.invalid/v1/chat/completions");
    expect(headers.host).toBe("models.invalid");
    expect(headers["proxy-authorization"]).toBe(`Basic ${Buffer.from("me:secret").toString("base64")}`);
  });

  test("is asked for a tunnel by https, and sees neither brief nor key", async () => {
    const seen: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket) => {
      seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    afterAll(() => proxy.close());
    const { port } = proxy.address() as { port: number };
    const fetch = proxyFetch(new URL(`http://127.0.0.1:${port}`));
    const asked = open("https://models.invalid/v1", { fetch }).ask(messages, {
      ...limits(),
      deadline: Date.now() + 400,
    });
    expect(await asked).toBeNull();
    expect(seen[0]).toMatch(/^CONNECT models\.invalid:443 /);
    expect(seen.join("\n")).not.toContain(key);
  });
});
