/** What an endpoint does wrong → try again, ask without streaming, or end with a message that helps. */
import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { ExitCode, type FaultCode, GraderError } from "../model/errors.ts";
import { shown } from "../model/patch-diff.ts";

/** A request that brought no answer. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  /** `again`: it may pass by itself. `plain`: the server can't stream. `final`: asking again is no use. */
  readonly kind: "again" | "plain" | "final";
  readonly hint: string;
  /** What the server asks for, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(kind: ModelFault["kind"], message: string, hint: string, waitMs?: number) {
    super(message);
    this.kind = kind;
    this.hint = hint;
    this.waitMs = waitMs;
  }
}

/** A 200 whose body says what went wrong, as gateways send that can't change the status any more. */
export class AnsweredError extends APIError {
  constructor(said: unknown) {
    const error = typeof said === "object" && said !== null ? said : { message: said };
    super(200, error, undefined, new Headers());
  }
}

/** What messages need to name. */
export interface Endpoint {
  /** Without credentials. */
  readonly url: string;
  readonly model: string;
  readonly keyEnv: string;
  /** Takes the key out of any text; before the text is cut, since half a key would not be known. */
  readonly hide: (text: string) => string;
}

/** The error that a run ends with. The fault itself is no `cause`: its stack could show a header. */
export function asGraderError(fault: ModelFault, { url, hide }: Endpoint, tries: number): GraderError {
  const exit: FaultCode = fault.kind === "again" ? ExitCode.tryAgain : ExitCode.unavailable;
  const count = tries > 1 ? ` · ${tries} tries` : "";
  return new GraderError(exit, hide(`${fault.message} · ${url}${count}`), { hint: hide(fault.hint) });
}

const againHint = "try again later, and go on with --resume";

/** Whatever the client threw, as a fault. */
export function faultOf(error: unknown, endpoint: Endpoint): ModelFault {
  if (error instanceof ModelFault) return error;
  if (error instanceof APIConnectionTimeoutError)
    return new ModelFault("again", "the model's endpoint does not answer in time", againHint);
  if (error instanceof APIConnectionError) return connectionFault(error);
  if (error instanceof AnsweredError) return answeredFault(error, endpoint);
  if (error instanceof APIError && error.status !== undefined) return statusFault(error, endpoint);
  if (error instanceof APIError)
    return new ModelFault("again", `the model's endpoint broke off · ${said(error, endpoint)}`, againHint);
  if (error instanceof SyntaxError)
    return new ModelFault("again", "the model's endpoint sends a garbled stream", againHint);
  const code = codeOf(error);
  return new ModelFault(
    "again",
    `the answer of the model's endpoint was cut off${code ? ` (${code})` : ""}`,
    againHint,
  );
}

function connectionFault(error: APIConnectionError): ModelFault {
  const code = codeOf(error) ?? "";
  if (code === "ENOTFOUND")
    return new ModelFault("final", "no such host", "check --base-url, and the proxy if one is set");
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code))
    return new ModelFault(
      "final",
      `its certificate is not trusted (${code})`,
      "name its authority in NODE_EXTRA_CA_CERTS",
    );
  const words = code === "ECONNREFUSED" ? "nothing listens there" : "the connection failed";
  return new ModelFault(
    "again",
    `${words}${code ? ` (${code})` : ""}`,
    "check --base-url and that the server runs",
  );
}

/** The code of the innermost cause that has one. */
function codeOf(error: unknown): string | undefined {
  let [inner, code]: [unknown, string | undefined] = [error, undefined];
  for (let depth = 0; depth < 6 && inner instanceof Error; depth++) {
    const own = (inner as NodeJS.ErrnoException).code;
    if (typeof own === "string") code = own;
    inner = inner.cause;
  }
  return code;
}

function statusFault(error: APIError, endpoint: Endpoint): ModelFault {
  const { model, keyEnv } = endpoint;
  const status = Number(error.status);
  const words = said(error, endpoint);
  const what = `${status} · ${words}`;
  if (status === 401 || status === 403)
    return new ModelFault(
      "final",
      `the endpoint refuses the key: ${what}`,
      `check the key in ${keyEnv}, or name its variable with --key-env`,
    );
  if (status === 404)
    return new ModelFault(
      "final",
      `the endpoint knows neither this address nor the model "${model}": ${what}`,
      "a base URL mostly ends in /v1; check --base-url and --model",
    );
  if (status >= 300 && status < 400)
    return new ModelFault(
      "final",
      `the endpoint answers with a redirect: ${status}`,
      `name the address itself with --base-url${movedTo(error, endpoint)}`,
    );
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    return new ModelFault("again", `the endpoint can't answer: ${what}`, againHint, waitOf(error.headers));
  if ((status === 400 || status === 422 || status === 415) && /stream/i.test(words))
    return new ModelFault("plain", `the endpoint does not stream: ${what}`, "use --no-stream");
  return new ModelFault(
    "final",
    `the endpoint refuses the request: ${what}`,
    "check --model, --temperature and what the endpoint takes",
  );
}

/** Its code decides where that is a status. Else only words for a passing trouble make it worth another try. */
function answeredFault(error: AnsweredError, endpoint: Endpoint): ModelFault {
  const { code, type, status } = error.error as Readonly<Record<string, unknown>>;
  const number = [code, status].map(Number).find((each) => each >= 400 && each < 600);
  if (number !== undefined)
    return statusFault(new APIError(number, error.error, undefined, undefined), endpoint);
  const isPassing = [code, type, status].some((each) => typeof each === "string" && passing.test(each));
  return new ModelFault(
    isPassing ? "again" : "final",
    `the endpoint answers with an error: ${said(error, endpoint)}`,
    isPassing ? againHint : "check --model, --temperature and what the endpoint takes",
  );
}

const passing =
  /rate.?limit|too.?many|resource.?exhausted|overload|server.?error|internal|unavailable|time.?out/i;

function movedTo({ headers }: APIError, { hide }: Endpoint): string {
  const place = headers?.get("location");
  return place ? ` · ${shown(hide(place))}` : "";
}

/** The server's own words, in one line; of a page of HTML only that it is one. */
function said(error: APIError, { hide }: Endpoint): string {
  const inner = (error.error as { message?: unknown } | undefined)?.message;
  const text = typeof inner === "string" ? inner : error.message.replace(/^\d{3} /, "");
  if (looksLikeHtml(text)) return "a page of HTML";
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? "no reason given" : shown(hide(line));
}

/** Whether a body is a page for people, not an answer for programs. */
export function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!doctype html|<html|<head|<body|<\?xml)/i.test(text);
}

/** `retry-after-ms`, or `Retry-After` in seconds or as a date. */
export function waitOf(headers: Headers | undefined, now = Date.now()): number | undefined {
  const ms = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (ms >= 0) return ms;
  const text = headers?.get("retry-after") ?? "";
  const seconds = Number(text === "" ? Number.NaN : text);
  if (seconds >= 0) return seconds * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
