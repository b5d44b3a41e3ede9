/** The loop from end to end: the real command line against a real server, graded in the real sandbox. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/cli.ts";
import {
  answerOf,
  canary,
  fixes,
  key,
  lastMessage,
  linesOf,
  loopStage,
  overfits,
} from "../support/loop-stage.ts";
import { type Step, says } from "../support/model-server.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { certificate, tlsProxy } from "../support/tls-proxy.ts";

const stage = loopStage("loop");
const {
  folder,
  env,
  task,
  taskWith,
  withReserve,
  serve,
  loop,
  start,
  brief,
  newFolder,
  expectNothingLeaked,
} = stage;

describe("a scripted model", () => {
  test("that first overfits and then fixes reaches PASS at attempt 2", async () => {
    const [server, run] = [await serve(overfits, fixes), newFolder()];
    const { code, stdout, stderr } = await loop(server, [
      "--run",
      run,
      "--price-in",
      "1",
      "--price-out",
      "10",
    ]);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "PASS\n" });
    expect(server.requests).toHaveLength(2);
    expect(stderr).toMatch(/attempt 1\/8 · overfit · 120 tokens · cost 0\.0003 · labels 1\/6/);
    expect(stderr).toMatch(/attempt 2\/8 · pass · 240 tokens · cost 0\.0006 · labels 2\/6/);
    const told = linesOf(join(run, "attempts.jsonl"));
    expect(told).toMatchObject([{ shown: { word: "overfit", lines: [] } }, { shown: { word: "pass" } }]);
  });

  test("that never fixes ends OVERFIT with 4 at its attempts, and its same answer is judged once", async () => {
    const server = await serve(
      overfits,
      says(answerOf("keeps-power-of-two-mask").replace("Here", "Now here")),
    );
    const { code, stdout, stderr } = await loop(server, ["--run", newFolder(), "--attempts", "3"]);
    expect({ code, stdout }, stderr).toEqual({ code: 4, stdout: "OVERFIT\n" });
    expect(server.requests).toHaveLength(3);
    expect(stderr).toMatch(/attempt 3\/3 · overfit \(as before\) · .* · labels 1\/6/);
    expect(stderr).toContain("the attempts are used up");
  });

  test("is told the compiler's words after a failed build, the shown test's after a failed test, and why it was rejected", async () => {
    const server = await serve(
      says(answerOf("does-not-compile")),
      says(answerOf("rewinds-head-to-capacity")),
      says("I can't."),
      says(""),
      fixes,
    );
    const { stdout } = await loop(server, ["--run", newFolder()]);
    expect(stdout).toBe("PASS\n");
    const told = server.requests.slice(1).map(({ body }) => lastMessage(body));
    expect(told).toEqual([
      expect.stringMatching(/build failed[\s\S]*bounded_queue\.cpp:26: 'count' was not declared/),
      expect.stringMatching(/visible failed[\s\S]*visible\.cpp:17: assert\(jobs\.pop\(\) == 70\)/),
      expect.stringMatching(/rejected[\s\S]*no patch found/),
      expect.stringMatching(/rejected[\s\S]*the answer is empty/),
    ]);
  });

  test("is told after an overfit that the shown tests must keep passing and the task's hint, and nothing else", async () => {
    const server = await serve(overfits, fixes);
    await loop(server, ["--run", newFolder()], taskWith({ hints: { OVERFIT: "Think of every caller." } }));
    expect(lastMessage(server.requests[1]?.body)).toBe(
      [
        "Verdict: overfit. The shown tests pass, and must keep passing; but the repair does not yet hold beyond what is shown.",
        "Think of every caller.",
        "Answer again with one whole patch against the sources as they were first shown.",
      ].join("\n\n"),
    );
  });

  test("with several samples goes on with the best of each attempt", async () => {
    const server = await serve(says(answerOf("does-not-compile")), overfits, fixes);
    const { stdout, stderr } = await loop(server, ["--run", newFolder(), "--samples", "2"]);
    expect(stdout).toBe("PASS\n");
    expect(stderr).toMatch(
      /attempt 1\.1\/8 · build failed[\s\S]*attempt 1\.2\/8 · overfit[\s\S]*attempt 2\.1\/8 · pass/,
    );
    expect(lastMessage(server.requests[1]?.body)).toContain("The sources as they are");
    expect(lastMessage(server.requests[2]?.body)).toContain("Verdict: overfit");
  });

  test("that answers with whole files or search and replace is understood", async () => {
    const whole = `src/bounded_queue.cpp\n\`\`\`cpp\n${fixedSource()}\`\`\`\n`;
    const header =
      "include/bounded_queue.hpp\n<<<<<<< SEARCH\n    std::int32_t* buf_;\n=======\n    std::int32_t* buf_; // owned\n>>>>>>> REPLACE\n";
    const { stdout, stderr } = await loop(await serve(says(header), says(whole)), ["--run", newFolder()]);
    expect(stderr).toContain("attempt 1/8 · visible failed");
    expect(stdout).toBe("PASS\n");
  });
});

/** The shipped source with its slots found by remainder and its indices never rewound. */
function fixedSource(): string {
  return readFileSync(join(task, "src/bounded_queue.cpp"), "utf8")
    .replace(
      /std::uint32_t slot\(.*\n/,
      "std::size_t slot(std::size_t index, std::size_t cap) { return index % cap; }\n",
    )
    .replace(/if \(--count_ == 0\).*\n/, "--count_;\n");
}

describe("a run ends", () => {
  test("with FAIL_VISIBLE and 3 at once where only the shown tests fail, and the model is told nothing more", async () => {
    const swapped = copyTask(inRepository("examples/bounded-queue"), folder, {
      visible: { source: "oracles/hidden.cpp", cxxflags: ["-fno-access-control"] },
      hidden: "tests/visible.cpp",
    });
    const server = await serve(overfits);
    const run = newFolder();
    const { code, stdout } = await loop(server, ["--run", run], swapped);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "FAIL_VISIBLE\n" });
    expect(server.requests).toHaveLength(1);
    expect(readFileSync(join(run, "attempts.jsonl"), "utf8")).not.toContain("FAIL_VISIBLE");
  });

  test("with OVERFIT where the reserve layer fails what passed, without another question", async () => {
    const reserved = withReserve();
    const [server, run] = [await serve(fixes), newFolder()];
    const { code, stdout, stderr } = await loop(server, ["--run", run], reserved);
    expect({ code, stdout }, stderr).toEqual({ code: 4, stdout: "OVERFIT\n" });
    expect(server.requests).toHaveLength(1);
    expect(linesOf(join(run, "records.jsonl"))).toMatchObject([
      { final: false, record: { verdict: "PASS" } },
      { final: true, record: { verdict: "OVERFIT", layer: "reserve" } },
      { kind: "end", reason: "reserve", token: "OVERFIT" },
    ]);
    const again = await start(null, ["--resume", run], reserved).ended;
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 4, stdout: "OVERFIT\n" });
    expect(linesOf(join(run, "records.jsonl"))).toHaveLength(3);
  });

  test("at the task's query budget, and says so", async () => {
    const server = await serve(overfits, says(answerOf("16-bit-indices")), fixes);
    const { code, stderr } = await loop(server, ["--run", newFolder()], taskWith({ queryBudget: 2 }));
    expect(code).toBe(4);
    expect(stderr).toMatch(/may learn: 2 \(the task's queryBudget\)[\s\S]*the query budget is used up/);
    expect(server.requests).toHaveLength(2);
  });

  test("before a question that the token budget can't carry", async () => {
    const server = await serve(overfits);
    const { code, stderr } = await loop(server, ["--run", newFolder(), "--token-budget", "1500"]);
    expect({ code, asked: server.requests.length }, stderr).toEqual({ code: 4, asked: 1 });
    expect(stderr).toContain("the token budget is used up");
  });

  test("at its time budget while the model is silent, with the token of what was judged before", async () => {
    const server = await serve(overfits, { kind: "silence" });
    const { code, stderr } = await loop(server, ["--run", newFolder(), "--time-budget", "8"]);
    expect(code, stderr).toBe(4);
    expect(stderr).toContain("the time budget is used up");
  });

  test("without a token where nothing was judged in time", async () => {
    const { code, stdout } = await loop(await serve({ kind: "silence" }), [
      "--run",
      newFolder(),
      "--time-budget",
      "1",
    ]);
    expect({ code, stdout }).toEqual({ code: 75, stdout: "" });
  });

  test("with REJECTED and 5 where no answer held a patch", async () => {
    const { code, stdout } = await loop(await serve(says("No.")), ["--run", newFolder(), "--attempts", "2"]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: "REJECTED\n" });
  });

  test("with 69 and no token where the endpoint refuses the key", async () => {
    const refusal: Step = {
      kind: "status",
      status: 401,
      body: JSON.stringify({ error: { message: `no: ${key}` } }),
    };
    const { code, stdout, stderr } = await loop(await serve(refusal), ["--run", newFolder()]);
    expect({ code, stdout }).toEqual({ code: 69, stdout: "" });
    expect(stderr).toMatch(/refuses the key: 401 · no: \[key\][\s\S]*hint: check the key in OPENAI_API_KEY/);
  });
});

describe("the leak scan", () => {
  test("stops a hint that quotes the oracle at the start: nothing is asked, no label is spent, and brief and mcp refuse too", async () => {
    const line = /^ +assert\(.*$/m.exec(readFileSync(join(task, "oracles/hidden.cpp"), "utf8"))?.[0] ?? "";
    const leaking = taskWith({
      hints: { REJECTED: `Look at this:\n${line}\n${line}\nstatic const int ${canary} = 7531;` },
    });
    const [server, run] = [await serve(overfits, fixes), newFolder()];
    const ends = [
      await loop(server, ["--run", run], leaking),
      await brief(leaking),
      await runCli(["mcp", "--task", leaking], { folder, env }),
    ];
    for (const { code, stdout, stderr } of ends) {
      expect({ code, stdout }, stderr).toEqual({ code: 65, stdout: "" });
      expect(stderr).toMatch(/a hint leaks the oracle · hints\.REJECTED, line/);
      expect(stderr).not.toContain(canary);
    }
    expect({ asked: server.requests.length, begun: existsSync(run) }).toEqual({ asked: 0, begun: false });
  });

  test("tells an answer that quotes the oracle when it comes, and that it is the model's own where the compiler repeats it", async () => {
    const [server, run] = [await serve(says(quotingAnswer()), fixes), newFolder()];
    const { code, stdout, stderr } = await loop(server, ["--run", run]);
    expect({ code, stdout }, stderr).toEqual({ code: 65, stdout: "" });
    expect(stderr).toMatch(
      /attempt 1 holds the oracle: don't share this transcript[\s\S]*attempt 1\/8 · build failed/,
    );
    expect(stderr).toContain("the model's own answer holds the oracle · message 3 (assistant), ");
    expect(stderr).toContain(" · message 4 (user), ");
    expect(stderr).not.toContain("nothing was sent");
    expect(server.requests).toHaveLength(1);
    const [first, last] = linesOf(join(run, "attempts.jsonl"));
    expect(first).toMatchObject({ kind: "attempt", holdsOracle: true });
    expect(last).toMatchObject({ kind: "stopped", attempt: 2 });
    expect(last?.hits).toContainEqual(expect.stringMatching(/^message 4 \(user\), /));
  });

  test("lets a run go on whose answer holds the oracle and is not sent on, and marks that answer alone", async () => {
    const run = newFolder();
    const server = await serve(says(quotingAnswer()), overfits, fixes);
    const { stdout, stderr } = await loop(server, ["--run", run, "--samples", "2"]);
    expect(stdout, stderr).toBe("PASS\n");
    expect(stderr).toContain("attempt 1.1 holds the oracle");
    const held = linesOf(join(run, "attempts.jsonl")).map(({ holdsOracle }) => holdsOracle);
    expect(held).toEqual([true, undefined, undefined]);
  });

  test("stops a prompt that quotes the oracle, so that nothing is asked at all", async () => {
    const leaking = taskWith();
    writeFileSync(join(leaking, "prompts/fix_queue.md"), `Mend it.\n\n${oracleTail(leaking)}\n`);
    const server = await serve(fixes);
    const { code } = await loop(server, ["--run", newFolder()], leaking);
    expect({ code, asked: server.requests.length }).toEqual({ code: 65, asked: 0 });
    const printed = await brief(leaking);
    expect({ code: printed.code, stdout: printed.stdout }).toEqual({ code: 65, stdout: "" });
  });
});

/** A whole file whose errors of the compiler quote the oracle. */
function quotingAnswer(): string {
  const oracle = readFileSync(join(task, "oracles/hidden.cpp"), "utf8");
  const lines = [...oracle.matchAll(/^ +(assert\(.*)$/gm)].slice(0, 12).map(([, line]) => `#error ${line}`);
  const source = readFileSync(join(task, "src/bounded_queue.cpp"), "utf8");
  return `src/bounded_queue.cpp\n\`\`\`cpp\n${lines.join("\n")}\n${source}\`\`\`\n`;
}

function oracleTail(at: string): string {
  return readFileSync(join(at, "oracles/hidden.cpp"), "utf8").split("\n").slice(-30).join("\n");
}

const fileFlags: [string, ...string[]][] = [
  ["--task", "a"],
  ["--attempts", "2"],
  ["--model", "m"],
  ["--base-url", "http://127.0.0.1:9/v1"],
  ["--samples", "2"],
  ["--temperature", "0"],
  ["--token-budget", "9"],
  ["--time-budget", "9"],
  ["--key-env", "KEY"],
  ["--no-stream"],
  ["--price-in", "1"],
  ["--price-out", "1"],
  ["--agent-network"],
];

describe("the command line", () => {
  test.each<[string, string[], RegExp]>([
    ["no model", ["--base-url", "http://127.0.0.1:9/v1"], /--model is missing/],
    ["no address", ["--model", "m"], /--base-url is missing/],
    ["an address of another kind", ["--model", "m", "--base-url", "ftp://x/"], /no http address/],
    [
      "credentials in the address",
      ["--model", "m", "--base-url", "http://me:secret@x.invalid/v1"],
      /holds credentials · http:\/\/x\.invalid\/v1/,
    ],
    ["two kinds of run at once", ["--resume", "a", "--config", "b"], /together · --resume --config/],
    [
      "a query in the address",
      ["--model", "m", "--base-url", "http://x.invalid/v1?key=secret"],
      /holds more than an address/,
    ],
    [
      "a variable without a key",
      ["--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--key-env", "NO_KEY_HERE"],
      /no key in the environment · NO_KEY_HERE/,
    ],
    ...fileFlags.map(([flag, ...value]): [string, string[], RegExp] => [
      `a comparison's file and ${flag}`,
      ["--config", "bench.jsonc", flag, ...value],
      new RegExp(`${flag} has no meaning with --config`),
    ]),
    ["--replay and a model", ["--replay", "r", "--model", "m"], /--model has no meaning with --replay/],
    ["--replay and a limit", ["--replay", "r", "--timeout", "9"], /--timeout has no meaning with --replay/],
    ["--resume and a price", ["--resume", "r", "--price-in", "1"], /--price-in has no meaning with --resume/],
    [
      "--resume and whole answers",
      ["--resume", "r", "--no-stream"],
      /--no-stream has no meaning with --resume/,
    ],
  ])("with %s is a usage error", async (_name, flags, message) => {
    const { code, stdout, stderr } = await loop(null, flags);
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("secret");
  });

  test("prints as a brief the very messages that a model is sent first", async () => {
    const server = await serve(fixes);
    await loop(server, ["--run", newFolder()]);
    const printed = await brief(task, "--json");
    const { messages } = JSON.parse(server.requests[0]?.body ?? "") as { messages: unknown };
    expect(JSON.parse(printed.stdout)).toEqual(messages);
    const text = await brief(task);
    expect(text.stdout).toContain("A job vanished from the queue");
    expect(text.stdout).not.toContain(canary);
  });
});

describe("behind a proxy", () => {
  const flags = ["--base-url", "https://models.example/v1", "--model", "far", "--attempts", "1"];

  test("a secure endpoint is reached by a tunnel, and the proxy sees neither brief nor key", async () => {
    const proxy = await tlsProxy("No patch.");
    const more = { HTTPS_PROXY: proxy.address, NODE_EXTRA_CA_CERTS: certificate };
    const { code, stderr } = await start(null, [...flags, "--run", newFolder()], task, more).ended;
    expect(code, stderr).toBe(5);
    expect(proxy.seenByServer).toEqual([expect.stringContaining("A job vanished")]);
    expect(proxy.seenByProxy).toEqual([expect.stringMatching(/^CONNECT models\.example:443 /)]);
    expect(proxy.seenByProxy.join("")).not.toContain(key);
  });

  test("an endpoint whose certificate nobody vouches for is sent nothing", async () => {
    const proxy = await tlsProxy("No patch.");
    const more = { HTTPS_PROXY: proxy.address };
    const { code, stderr } = await start(null, [...flags, "--run", newFolder()], task, more).ended;
    expect(code).toBe(69);
    expect(stderr).toMatch(/certificate is not trusted/);
    expect(proxy.seenByServer).toEqual([]);
  });
});

test("what the oracle alone holds is in none of the bytes that were sent, and the key in no file and no output", () => {
  expectNothingLeaked({ servers: 16, files: 30 });
});
