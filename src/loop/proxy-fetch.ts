/** `fetch` through a proxy, which Node's own does not do by itself before version 24. */
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { connect as tlsConnect } from "node:tls";

type Fetch = typeof globalThis.fetch;

/** Sends every request through `proxy`: a tunnel for https, a plain forward for http. */
export function proxyFetch(proxy: URL): Fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const url = new URL(asked.url);
    const body = asked.body === null ? undefined : Buffer.from(await asked.arrayBuffer());
    const signal = asked.signal;
    const options = { method: asked.method, headers: Object.fromEntries(asked.headers), signal };
    const sent =
      url.protocol === "https:"
        ? httpsRequest(url, { ...options, ...(await tunnelTo(url, proxy, signal)) })
        : forwarded(url, proxy, options);
    return responseOf(await answered(sent, body));
  };
}

function forwarded(url: URL, proxy: URL, options: RequestOptions): ClientRequest {
  const headers = { ...options.headers, host: url.host, ...credentials(proxy) };
  return requestTo(proxy)({ ...addressOf(proxy), ...options, path: url.href, headers });
}

/** A connection that is the server's own, opened by the proxy with CONNECT (RFC 9110, section 9.3.6). */
async function tunnelTo(url: URL, proxy: URL, signal: AbortSignal): Promise<RequestOptions> {
  const port = url.port === "" ? "443" : url.port;
  const path = `${url.hostname}:${port}`;
  const headers = { host: path, ...credentials(proxy) };
  const socket = await new Promise<Socket>((resolve, reject) => {
    const asked = requestTo(proxy)({
      ...addressOf(proxy),
      method: "CONNECT",
      path,
      headers,
      signal,
      agent: false,
    });
    asked.once("error", reject);
    asked.once("response", (response) => {
      response.destroy();
      reject(refusal(response));
    });
    asked.once("connect", (response, opened) => {
      if (response.statusCode === 200) return resolve(opened);
      opened.destroy();
      reject(refusal(response));
    });
    asked.end();
  });
  const secure = tlsConnect({ socket, servername: url.hostname, ALPNProtocols: ["http/1.1"] });
  // An agent, even none of its own, would open a connection past this one.
  return { createConnection: () => secure };
}

function refusal({ statusCode }: IncomingMessage): Error {
  return Object.assign(new Error("the proxy refuses the tunnel"), {
    code: `the proxy answers ${statusCode}`,
  });
}

const requestTo = (proxy: URL) => (proxy.protocol === "https:" ? httpsRequest : httpRequest);

function addressOf({ protocol, hostname, port }: URL): RequestOptions {
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: port || (protocol === "https:" ? 443 : 80) };
}

function credentials({ username, password }: URL): Record<string, string> {
  if (username === "") return {};
  const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    "base64",
  );
  return { "proxy-authorization": `Basic ${pair}` };
}

function answered(request: ClientRequest, body: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", resolve);
    request.end(body);
  });
}

function responseOf(message: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, each);
  }
  const status = message.statusCode ?? 502;
  const isEmpty = status === 204 || status === 304;
  if (isEmpty) message.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(message) as ReadableStream), { status, headers });
}
