/** From flags and environment to a model that can be asked: base URL, key, proxies. */
import { type Model, openModel, plainUrl } from "../loop/client.ts";
import { proxyFetch } from "../loop/proxy-fetch.ts";
import { ExitCode, GraderError } from "../model/errors.ts";
import { proxyFor } from "./proxy.ts";
import { writeErr } from "./terminal.ts";

/** What a command or a configuration says of an endpoint. */
export interface EndpointWishes {
  readonly baseUrl: string;
  readonly model: string;
  readonly keyEnv?: string | undefined;
  readonly temperature: number | null;
  readonly stream: boolean;
  /** Seconds without a piece of an answer after which a request is given up. */
  readonly timeout: number;
}

/** Seconds of silence where no others are asked for. */
export const defaultSilence = 300;
/** Variable of the key where none is named. */
export const defaultKeyEnv = "OPENAI_API_KEY";

/** @throws GraderError 64 when address or key can't be right. */
export function openEndpoint(wishes: EndpointWishes, env: NodeJS.ProcessEnv = process.env): Model {
  const url = checkedUrl(wishes.baseUrl);
  const keyEnv = wishes.keyEnv ?? defaultKeyEnv;
  const key = keyFrom(env, wishes.keyEnv, url);
  if (key !== null && url.protocol === "http:" && !isLoopback(url))
    writeErr(`warning: the key goes unencrypted to ${url.host}`);
  const { model, temperature, stream, timeout } = wishes;
  const proxy = proxyFor(url, env);
  return openModel({
    baseUrl: url.href,
    model,
    key,
    keyEnv,
    temperature,
    stream,
    silenceMs: timeout * 1000,
    ...(proxy === null ? {} : { fetch: proxyFetch(proxy) }),
  });
}

function checkedUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new GraderError(ExitCode.usage, "--base-url is no http address", {
      hint: "such as http://127.0.0.1:8080/v1",
    });
  if (url.search !== "" || url.hash !== "")
    throw new GraderError(ExitCode.usage, `--base-url holds more than an address · ${plainUrl(text)}`, {
      hint: "leave out what follows the path",
    });
  if (url.username !== "" || url.password !== "")
    throw new GraderError(ExitCode.usage, `--base-url holds credentials · ${plainUrl(text)}`, {
      hint: "put the key into a variable and name it with --key-env",
    });
  return url;
}

function keyFrom(env: NodeJS.ProcessEnv, named: string | undefined, url: URL): string | null {
  const name = named ?? defaultKeyEnv;
  const key = env[name]?.trim() ?? "";
  if (key === "") {
    if (named === undefined && isLoopback(url)) return null;
    throw new GraderError(ExitCode.usage, `no key in the environment · ${name}`, {
      hint: "set that variable, or name another with --key-env",
    });
  }
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new GraderError(
    ExitCode.usage,
    `what the variable holds is no key: white space or odd characters · ${name}`,
    {
      hint: "set it to the key alone",
    },
  );
}

function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
