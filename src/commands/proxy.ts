/** Which proxy the environment names for an address. */
import { ExitCode, GraderError } from "../model/errors.ts";

/**
 * The proxy for a URL, from `HTTPS_PROXY` or `HTTP_PROXY` by its scheme, else `ALL_PROXY`, in either case of letters;
 * null with `NO_PROXY`, and for this machine itself. @throws GraderError 64 when it is none that can be used.
 */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | null {
  const read = (name: string) => env[name.toLowerCase()] || env[name] || "";
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const text = read(name) || read("ALL_PROXY");
  if (text === "" || isExcepted(url, read("NO_PROXY"))) return null;
  const spelt = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(spelt) ? new URL(spelt) : undefined;
  // Its value may hold a password, so only its name is told.
  if (proxy === undefined || !/^https?:$/.test(proxy.protocol))
    throw new GraderError(ExitCode.usage, `the environment names a proxy that is none of http · ${name}`, {
      hint: "set it to http://HOST:PORT, or except the host with NO_PROXY",
    });
  return proxy;
}

/** `NO_PROXY`: `*`, hosts with all that is below them, optionally with a port, separated by commas or blanks. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  if (/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return true;
  const own = port || (protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, host = "", only] = /^\*?\.?(.+?)(?::(\d+))?$/.exec(entry) ?? [];
      return (only === undefined || only === own) && (hostname === host || hostname.endsWith(`.${host}`));
    });
}
