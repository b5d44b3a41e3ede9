/** The real client against a real server whose answers have no end. */
import { describe, expect, test } from "vitest";
import { ask, finalFault, key, limits, messages, open } from "../support/ask-model.ts";
import { modelServer, type Step, says } from "../support/model-server.ts";

describe("an error that never ends", () => {
  const endless = (head: string, again: string): Step => ({
    kind: "endless",
    status: 400,
    type: "application/json",
    head,
    again,
  });

  test.each([
    ["goes on and on", "x".repeat(4096)],
    ["falls silent", ""],
  ])("and %s is read no further than its message needs, and let go of", async (_how, again) => {
    const { fault, server } = await finalFault(endless("the model is odd", again));
    expect(fault).toMatchObject({ exit: 69, message: expect.stringContaining("400 · the model is odd") });
    await expect.poll(server.dropped).toBe(1);
  });

  test.each([1, 4, key.length - 1])(
    "shows no part of a key of which %i letters are read",
    async (letters) => {
      const { fault } = await finalFault(endless(`${" ".repeat(8192 - letters)}${key}`, "x"));
      expect(fault.message).toContain("400 · no reason given");
    },
  );
});

describe("a server", () => {
  test.each([
    ["a comment", "text/event-stream", ": still here\n\n"],
    [
      "an empty piece",
      "text/event-stream",
      `data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n`,
    ],
    ["a blank line", "application/json", "\n"],
  ])("with nothing but %s over and over is silent", async (_what, type, again) => {
    const idle: Step = { kind: "endless", status: 200, type, head: again, again };
    const { reply, waits, server } = await ask([idle, says("a patch")], { silenceMs: 300 });
    expect(reply?.text).toBe("a patch");
    expect(waits).toEqual([["no part of an answer came for 0.3 s", expect.any(Number)]]);
    await expect.poll(server.dropped).toBe(1);
  });

  test("with thoughts for longer than a silence may be is heard out", async () => {
    const thought = `data: {"choices":[{"delta":{"content":"","reasoning_content":"hm"}}]}\n\n`;
    const thinks: Step = {
      kind: "endless",
      status: 200,
      type: "text/event-stream",
      head: "",
      again: thought,
    };
    const server = await modelServer([thinks]);
    const asked = open(server.baseUrl, { silenceMs: 400 }).ask(messages, {
      ...limits(),
      deadline: Date.now() + 1000,
    });
    expect([await asked, server.requests.length]).toEqual([null, 1]);
  });
});
