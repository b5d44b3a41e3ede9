/** A proxy that opens tunnels to one secure server, which answers every request with the same text. */
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { afterAll } from "vitest";
import { inRepository } from "./repository.ts";

/** The certificate of the server behind the proxy, for `models.example`. */
export const certificate = inRepository("test/fixtures/tls/certificate.pem");

/** What the proxy and the server behind it were sent. */
export interface TlsProxy {
  readonly address: string;
  /** Heads of all that came to the proxy. */
  readonly seenByProxy: string[];
  /** Bodies that came to the server. */
  readonly seenByServer: string[];
}

/** Starts both for the calling test file. */
export async function tlsProxy(text: string): Promise<TlsProxy> {
  const [seenByProxy, seenByServer]: [string[], string[]] = [[], []];
  const server = createSecureServer(
    { key: readFileSync(inRepository("test/fixtures/tls/key.pem")), cert: readFileSync(certificate) },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        seenByServer.push(Buffer.concat(chunks).toString("utf8"));
        const choices = [{ delta: { content: text }, finish_reason: "stop" }];
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`);
      });
    },
  );
  const port = await listening(server);
  const proxy = createServer();
  proxy.on("connect", (request, socket, head) => {
    seenByProxy.push(`CONNECT ${request.url} ${JSON.stringify(request.headers)}`);
    const inner = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      inner.write(head);
      inner.pipe(socket).pipe(inner);
    });
    socket.on("error", () => inner.destroy());
    inner.on("error", () => socket.destroy());
  });
  return { address: `http://127.0.0.1:${await listening(proxy)}`, seenByProxy, seenByServer };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
