/** The tool server, driven by the protocol's own client against the built command line. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, expect, test } from "vitest";
import { runCli, startCli } from "../support/cli.ts";
import { corpusTask } from "../support/corpus.ts";
import { leftBehind, processesOf } from "../support/left-behind.ts";
import { canary, linesOf, loopStage, patches } from "../support/loop-stage.ts";
import { inRepository } from "../support/repository.ts";

const { folder, taskWith, task } = loopStage("mcp");
const received: string[] = [];
const clients: Client[] = [];
const patch = (name: string) => readFileSync(join(patches, `${name}.diff`), "utf8");

interface Session {
  readonly client: Client;
  readonly state: string;
  readonly log: () => string;
  readonly grade: (patch: unknown) => Promise<Answer>;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: unknown;
}

/** Starts a server and its client; every byte that the server writes is kept in a file. */
async function open(
  at: string,
  state: string,
  env: Record<string, string> = {},
  flags: string[] = [],
): Promise<Session> {
  const bytes = join(mkdtempSync(join(folder, "session-")), "bytes");
  received.push(bytes);
  const transport = new StdioClientTransport({
    command: "/bin/sh",
    args: [
      "-c",
      `"$0" "$@" | tee ${bytes}`,
      process.execPath,
      inRepository("dist/cli.js"),
      "mcp",
      "--task",
      at,
      ...flags,
    ],
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      HIDDEN_ORACLE_CACHE: join(folder, "cache"),
      HIDDEN_ORACLE_STATE: state,
      ...env,
    },
    stderr: "pipe",
  });
  let log = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString("utf8");
  });
  const client = new Client({ name: "test-client", version: "1.0.0" });
  clients.push(client);
  await client.connect(transport);
  const grade = async (given: unknown) =>
    answerOf(await client.callTool({ name: "grade_patch", arguments: { patch: given } }));
  return { client, state, log: () => log, grade };
}

function answerOf(result: Awaited<ReturnType<Client["callTool"]>>): Answer {
  const content = result.content as { text: string }[];
  return {
    text: content.map(({ text }) => text).join("\n"),
    isError: result.isError === true,
    structured: result.structuredContent,
  };
}

/** What a client writes to have one patch graded. */
function inputOf(patchText: string): string {
  const clientInfo = { name: "raw", version: "1" };
  const messages = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "grade_patch", arguments: { patch: patchText } } },
  ];
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
}

const newState = () => mkdtempSync(join(folder, "state-"));

afterAll(() => Promise.all(clients.map((client) => client.close())));

test("an agent gets the brief and one of five words for each patch, and each label is counted", async () => {
  const { client, state, grade, log } = await open(task, newState());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["get_brief", "grade_patch"]);
  const brief = answerOf(await client.callTool({ name: "get_brief", arguments: {} }));
  expect(brief.text).toMatch(
    /A job vanished from the queue[\s\S]*tests\/visible\.cpp[\s\S]*src\/bounded_queue\.cpp/,
  );

  const failed = await grade(patch("rewinds-head-to-capacity"));
  expect(failed.text).toMatch(
    /^Verdict: visible failed[\s\S]*visible\.cpp:17: assert\(jobs\.pop\(\) == 70\)/,
  );
  expect((await grade(patch("does-not-compile"))).text).toMatch(
    /^Verdict: build failed[\s\S]*'count' was not declared/,
  );
  const rejected = await grade("--- a/tests/visible.cpp\n+++ b/tests/visible.cpp\n@@ -1,1 +1,1 @@\n-a\n+b\n");
  expect(rejected.text).toMatch(/^Verdict: rejected[\s\S]*out-of-scope/);
  const overfit = await grade(patch("keeps-power-of-two-mask"));
  expect(overfit.structured).toMatchObject({ verdict: "overfit", repeated: false, labelsLeft: 3 });
  const again = await grade(patch("keeps-power-of-two-mask").replace(/^\+(.*;)$/m, "+$1 // as before"));
  expect(again.structured).toMatchObject({ verdict: "overfit", repeated: true, labelsLeft: 3 });
  const passed = await grade(patch("modulo-64-bit"));
  expect(passed).toMatchObject({ isError: false, structured: { verdict: "pass", labelsLeft: 2 } });

  expect(linesOf(join(state, "ledger.jsonl"))).toMatchObject(
    ["visible failed", "build failed", "overfit", "pass"].map((label) => ({
      caller: "mcp",
      model: "test-client",
      run: "mcp",
      label,
    })),
  );
  expect(log()).toContain("warning: the oracle lies readable beside this server");
});

test("at the query budget the server refuses and says what is left, also in two sessions at once; known repairs stay free", async () => {
  const small = taskWith({ queryBudget: 2 });
  const first = await open(small, newState());
  const second = await open(small, first.state);
  await first.grade(patch("keeps-power-of-two-mask"));
  // One label is left, and both ask for it at once.
  const [one, other] = await Promise.all([
    first.grade(patch("16-bit-indices")),
    second.grade(patch("modulo-32-bit-slot")),
  ]);
  expect(one.isError).not.toBe(other.isError);
  expect((one.isError ? one : other).text).toContain("2 of 2 are used, 0 are left");
  expect((await first.grade(patch("modulo-64-bit"))).isError).toBe(true);
  expect((await second.grade(patch("modulo-64-bit"))).isError).toBe(true);
  const known = await second.grade(patch("keeps-power-of-two-mask"));
  expect(known.structured).toMatchObject({ verdict: "overfit", repeated: true, labelsLeft: 0 });
  expect(linesOf(join(first.state, "ledger.jsonl"))).toHaveLength(2);
  const another = await open(small, first.state, {}, ["--run", "another"]);
  expect((await another.grade(patch("modulo-64-bit"))).structured).toMatchObject({
    verdict: "pass",
    labelsLeft: 1,
  });
});

test("a sealed task is served with its identity and without the warning", async () => {
  const sealed = taskWith();
  const identity = join(folder, "oracle.key");
  await runCli(["seal", "--task", sealed, "--new-identity", identity], { folder });
  const { grade, log } = await open(sealed, newState(), { HIDDEN_ORACLE_IDENTITY_FILE: identity });
  expect((await grade(patch("keeps-power-of-two-mask"))).structured).toMatchObject({ verdict: "overfit" });
  expect(log()).not.toContain("warning");
});

test("an answer that would show the oracle is not sent", async () => {
  const oracle = readFileSync(join(task, "oracles/hidden.cpp"), "utf8");
  const lines = [...oracle.matchAll(/^ +(assert\(.*)$/gm)].slice(0, 12).map(([, line]) => `+#error ${line}`);
  const [top = ""] = readFileSync(join(task, "src/bounded_queue.cpp"), "utf8").split("\n");
  const file = "src/bounded_queue.cpp";
  const quoting = [
    `--- a/${file}`,
    `+++ b/${file}`,
    `@@ -1,1 +1,${lines.length + 1} @@`,
    ...lines,
    ` ${top}`,
  ];
  const { grade, log } = await open(task, newState());
  const { isError, text } = await grade(`${quoting.join("\n")}\n`);
  expect({ isError, text }).toEqual({
    isError: true,
    text: "The answer can't be shown.\nask who keeps the task",
  });
  expect(log()).toMatch(/stopped an answer that shows the oracle · line/);
});

test("a fault is an error of the tool that tells nothing, and the server goes on", async () => {
  const { grade, state, log } = await open(task, newState());
  const ledger = join(state, "ledger.jsonl");
  mkdirSync(ledger);
  expect(await grade(patch("modulo-64-bit"))).toMatchObject({
    isError: true,
    text: "Not judged: the machine could not judge the patch.\ntry again later",
  });
  expect(log()).toContain("fault 75 · the ledger of labels can't be read");
  rmSync(ledger, { recursive: true });
  expect((await grade(patch("modulo-64-bit"))).structured).toMatchObject({ verdict: "pass" });
});

test.each([[3], [undefined], [["a"]]])(
  "arguments of the wrong kind (%j) are an error of the tool",
  async (wrong) => {
    const { grade } = await open(task, newState());
    expect(await grade(wrong)).toMatchObject({ isError: true, text: expect.stringContaining("grade_patch") });
  },
);

test("what was asked before the end of the input is answered, standard output holds the protocol alone, and the server ends", async () => {
  const stdin = `${inputOf(patch("modulo-64-bit"))}not json\n`;
  const { code, stdout, stderr } = await runCli(["mcp", "--task", task], {
    folder,
    stdin,
    env: { HIDDEN_ORACLE_STATE: newState() },
  });
  expect(code, stderr).toBe(0);
  const answers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number });
  expect(answers).toMatchObject([{ id: 1 }, { id: 2, result: { structuredContent: { verdict: "pass" } } }]);
});

test("a request to end stops a grade that runs, with 143 and nothing left", async () => {
  const endless = readFileSync(inRepository("test/corpus/REJECTED/endless-loop/patch.diff"), "utf8");
  const running = startCli(["mcp", "--task", corpusTask], {
    folder,
    stdin: inputOf(endless),
    env: { HIDDEN_ORACLE_STATE: newState() },
  });
  const { child, temporary } = running;
  while (!processesOf({ pid: child.pid ?? 0, temporary }).some((each) => / launcher$/.test(each))) {
    if (child.exitCode !== null) expect.fail(`ended too early, exit ${child.exitCode}`);
    await sleep(10);
  }
  child.kill("SIGTERM");
  const result = await running.ended;
  expect(result.code, result.stderr).toBe(143);
  expect(await leftBehind(result)).toEqual({ processes: [], files: [] });
});

test("no byte that a server sent holds the oracle's canary", async () => {
  await Promise.all(clients.map((client) => client.close()));
  const texts = received.map((file) => readFileSync(file, "utf8"));
  expect(texts.length).toBeGreaterThan(6);
  for (const text of texts) {
    expect(text.length).toBeGreaterThan(100);
    expect(text).not.toContain(canary);
  }
});
