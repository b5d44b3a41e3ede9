import { describe, expect, test } from "vitest";
import { proxyFor } from "./proxy.ts";

const found = (url: string, env: NodeJS.ProcessEnv) => proxyFor(new URL(url), env)?.href ?? null;
const secure = "https://models.example/v1";

describe("the proxy of an address", () => {
  test.each<[string, string, NodeJS.ProcessEnv, string | null]>([
    ["is that of its scheme", secure, { HTTPS_PROXY: "http://p:1", HTTP_PROXY: "http://q:2" }, "http://p:1/"],
    [
      "is that of plain http for plain http",
      "http://models.example/",
      { HTTPS_PROXY: "http://p:1", http_proxy: "http://q:2" },
      "http://q:2/",
    ],
    ["may be written without a scheme", secure, { https_proxy: "p:1" }, "http://p:1/"],
    ["is the one for all where no other is named", secure, { ALL_PROXY: "http://all:3" }, "http://all:3/"],
    ["is none where none is named", secure, {}, null],
    ["is none for this machine", "http://127.0.0.1:8080/v1", { HTTP_PROXY: "http://p:1" }, null],
    [
      "is none for an excepted host",
      secure,
      { HTTPS_PROXY: "http://p:1", NO_PROXY: "a.b, models.example" },
      null,
    ],
    [
      "is none below an excepted domain",
      "https://eu.models.example/",
      { HTTPS_PROXY: "http://p:1", no_proxy: ".models.example" },
      null,
    ],
    ["is none where all are excepted", secure, { HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, null],
    [
      "stays for a host that only ends alike",
      "https://mymodels.example/",
      { HTTPS_PROXY: "http://p:1", NO_PROXY: "models.example" },
      "http://p:1/",
    ],
    [
      "stays for another port than the excepted one",
      secure,
      { HTTPS_PROXY: "http://p:1", NO_PROXY: "models.example:8443" },
      "http://p:1/",
    ],
  ])("%s", (_name, url, env, proxy) => {
    expect(found(url, env)).toBe(proxy);
  });

  test("of another kind is refused by its variable's name, not by its value", () => {
    const wrong = () => found(secure, { HTTPS_PROXY: "socks5://me:secret@p:1" });
    expect(wrong).toThrow(/HTTPS_PROXY/);
    expect(wrong).not.toThrow(/secret/);
  });
});
