/** Agents as commands: real scripts in the real sandbox, graded by the real command line. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { agentFolder } from "../support/agents.ts";
import type { CliResult } from "../support/cli.ts";
import { leftBehind, processesOf } from "../support/left-behind.ts";
import { canary, key, linesOf, loopStage } from "../support/loop-stage.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";

const stage = loopStage("agents");
const { folder, task, start, newFolder } = stage;
const tools = agentFolder(folder);
const secret = "agents-own-key-0123456789";
const environment = { AGENT_KEY: secret, HIDDEN_ORACLE_IDENTITY: "the-graders-own-identity" };

interface Attempt {
  readonly answer: string;
  readonly patch: string | null;
  readonly shown: { readonly word: string; readonly lines: readonly string[] };
}

interface AgentRun extends CliResult {
  readonly run: string;
  readonly attempts: readonly Attempt[];
}

/** Runs an agent's script to the end of its attempts, one unless `flags` say otherwise. */
async function agent(script: string, flags: readonly string[] = [], at = task): Promise<AgentRun> {
  const run = newFolder();
  const argv = ["--agent", script, "--agent-path", tools, "--run", run, "--attempts", "1", ...flags];
  const result = await start(null, argv, at, environment).ended;
  const attempts = linesOf(join(run, "attempts.jsonl")) as unknown as Attempt[];
  return { ...result, run, attempts };
}

describe("an agent", () => {
  test("that repairs the sources ends with PASS, and its difference is the patch", async () => {
    const { code, stdout, stderr, attempts } = await agent("repair modulo-64-bit");
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "PASS\n" });
    expect(attempts[0]?.patch).toMatch(
      /^diff --git a\/src\/bounded_queue\.cpp b\/src\/bounded_queue\.cpp\n--- a\//,
    );
    expect(stderr).toMatch(/attempt 1\/1 · pass · labels 1\/6/);
  });

  test("that overfits is told so in a file, finds its last patch beside it, and starts from the first sources", async () => {
    const script = `if [ -z "$HIDDEN_ORACLE_FEEDBACK_FILE" ]; then repair keeps-power-of-two-mask; exit; fi
      cat "$HIDDEN_ORACLE_FEEDBACK_FILE" "$HIDDEN_ORACLE_LAST_PATCH_FILE"; cat src/bounded_queue.cpp; repair modulo-64-bit`;
    const { stdout, attempts, run } = await agent(script, ["--attempts", "2"]);
    expect(stdout).toBe("PASS\n");
    expect(attempts.map(({ shown }) => shown)).toEqual([
      { word: "overfit", lines: [] },
      { word: "pass", lines: [] },
    ]);
    expect(attempts[1]?.answer).toContain("Verdict: overfit.");
    expect(attempts[1]?.answer).toContain(attempts[0]?.patch);
    expect(attempts[1]?.answer).toContain(
      readFileSync(join(task, "src/bounded_queue.cpp"), "utf8").trimEnd(),
    );
    expect((await stage.start(null, ["--replay", run], task, environment).ended).stdout).toBe("PASS\n");
  });

  test("whose patch holds the oracle is told so, and is not handed that patch again", async () => {
    const oracle = readFileSync(join(task, "oracles/hidden.cpp"), "utf8");
    const lines = [...oracle.matchAll(/^ +(assert\(.*)$/gm)].slice(0, 12).map(([, line]) => `// ${line}`);
    const script = `repair keeps-power-of-two-mask; cat >> src/bounded_queue.cpp <<'EOF'\n${lines.join("\n")}\nEOF\n`;
    const { code, stdout, stderr, attempts } = await agent(script, ["--attempts", "2"]);
    expect({ code, stdout }, stderr).toEqual({ code: 65, stdout: "" });
    expect(stderr).toContain("attempt 1 holds the oracle: don't share this transcript");
    expect(stderr).toMatch(/the agent's own answer holds the oracle · the last patch, line/);
    expect(attempts).toMatchObject([{ attempt: 1, answer: "", holdsOracle: true }, { kind: "stopped" }]);
  });

  test("can build and run the shown tests, which fail", async () => {
    const build =
      "g++ -std=c++17 -Iinclude tests/visible.cpp src/*.cpp -o $TMPDIR/t && ! $TMPDIR/t && echo built";
    const { attempts } = await agent(build);
    expect(attempts[0]?.answer).toContain("built");
  });

  test("that looks for the judge finds nothing of it", async () => {
    const pattern = canary.replace("7f3a", "[7]f3a");
    const script = `{
      for place in ${task} ${dirname(task)} ${folder}/cache ${folder}/state ${folder} ${inRepository("examples")} /root /home /var /run /opt /etc/shadow; do
        ls -laR "$place" 2>&1 | head -50; done
      find / -xdev -name '*hidden*' -not -path '/usr/*' 2>&1
      grep -rls ${pattern} / --exclude-dir=usr --exclude-dir=proc --exclude-dir=sys && echo FO''UND
      cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'
      for fd in /proc/[0-9]*/fd/*; do ls -l "$fd"; done
      cat /proc/self/environ | tr '\\0' '\\n'; ls /proc | grep -c '^[0-9]'; cat ../*/oracles/* /checkout/../oracles/*
    } > found.txt 2>&1; cat found.txt`;
    const { attempts, stdout } = await agent(script);
    expect(stdout).toBe("REJECTED\n");
    const found = `${attempts[0]?.patch}${attempts[0]?.answer}`;
    expect(found).toContain(`cannot access '${task}'`);
    expect(found).toContain("HIDDEN_ORACLE_PROMPT_FILE=/checkout/PROMPT.md");
    for (const hidden of [
      canary,
      key,
      secret,
      environment.HIDDEN_ORACLE_IDENTITY,
      "hidden.cpp",
      "FOUND",
      "cli.js",
    ])
      expect(found).not.toContain(hidden);
  });

  test("reaches the network with --agent-network alone", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests++;
      response.end("reached");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    afterAll(() => server.close());
    const { port } = server.address() as AddressInfo;
    const script = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}; printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3; cat <&3'`;
    const shut = await agent(script);
    expect(requests).toBe(0);
    expect(shut.attempts[0]?.answer).toContain("Connection refused");
    const open = await agent(script, ["--agent-network"]);
    expect(requests).toBe(1);
    expect(open.attempts[0]?.answer).toContain("reached");
  });

  test("that hangs is stopped with all that it started, and what it left counts", async () => {
    const result = await agent("repair modulo-64-bit; setsid sleep 1000 & sleep 1000", [
      "--agent-timeout",
      "2",
    ]);
    expect(result.stdout).toBe("PASS\n");
    expect(result.attempts[0]?.answer).toContain("(stopped: time)");
    expect(await leftBehind(result)).toEqual({ processes: [], files: [] });
  });

  test("that forks without end is stopped, told why, and leaves nothing", async () => {
    const result = await agent("sh -c 'for i in $(seq 200); do sleep 100 & done'; exec sleep 100", [
      "--agent-processes",
      "64",
    ]);
    expect(result.attempts[0]?.shown).toEqual({
      word: "rejected",
      lines: ["stopped · more than 64 processes and threads"],
    });
    expect(await leftBehind(result)).toEqual({ processes: [], files: [] });
  });

  test("that fills the disk or the memory is stopped", async () => {
    const disk = "for i in 1 2 3 4 5 6 7 8; do head -c 8M /dev/zero > $HOME/$i; done; sleep 100";
    const filled = await agent(disk, ["--agent-disk", "32"]);
    expect(filled.attempts[0]?.shown.lines).toEqual([
      "stopped · more than 32 MiB of files, or more of them than can be counted",
    ]);
    const memory =
      "for i in 1 2 3 4; do head -c 40M /dev/zero | (tail -c 40M; sleep 100) | sleep 100 & done; wait";
    const eaten = await agent(memory, ["--agent-memory", "100"]);
    expect(eaten.attempts[0]?.shown.lines).toEqual(["stopped · more than 100 MiB of memory"]);
  });

  test("that puts a link in a source's place is rejected, and the link's target is not read", async () => {
    const { stdout, attempts } = await agent("ln -sf /etc/passwd src/bounded_queue.cpp");
    expect(stdout).toBe("REJECTED\n");
    expect(attempts[0]?.shown.lines[0]).toMatch(/^out-of-scope/);
    expect(attempts[0]?.patch).toContain("new file mode 120000");
    expect(attempts[0]?.patch).not.toMatch(/agent:x|root:/);
  });

  test("may keep a repository of its own, whose settings and hooks nobody runs", async () => {
    const script = `git init -q . 2>/dev/null || mkdir -p .git/hooks
      printf '[core]\\n\\tfsmonitor = touch ${folder}/ran\\n\\thooksPath = hooks\\n' > .git/config
      printf '#!/bin/sh\\ntouch ${folder}/ran\\n' > .git/hooks/post-checkout; chmod +x .git/hooks/*; repair modulo-64-bit`;
    const { stdout, attempts } = await agent(script);
    expect(stdout).toBe("PASS\n");
    expect(attempts[0]?.patch).not.toContain(".git/");
    expect(() => readFileSync(join(folder, "ran"))).toThrow("ENOENT");
  });

  test("that changes nothing is rejected, and what it said is kept within bounds", async () => {
    const { stdout, attempts } = await agent("yes | head -c 3000000; echo the end");
    expect(stdout).toBe("REJECTED\n");
    expect(attempts[0]?.shown.lines).toEqual([
      "no change · the checkout is as it was; the agent ended with status 0",
    ]);
    expect(attempts[0]?.answer.length).toBeLessThan(70_000);
    expect(attempts[0]?.answer).toMatch(/bytes left out[\s\S]*the end$/);
  });

  test("that touches a shown test, leaves a program, or closes its folders is rejected like any patch", async () => {
    for (const script of [
      "echo '// x' >> tests/visible.cpp",
      "cp /bin/true src/a.out",
      "mkdir -p a/b; mkfifo a/b/pipe; chmod 0 a/b a",
      "n=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; i=0; while [ $i -lt 300 ]; do mkdir $n; cd $n; i=$((i + 1)); done; chmod 500 .",
    ]) {
      const result = await agent(script);
      expect(result.stdout, result.stderr).toBe("REJECTED\n");
      expect(await leftBehind(result)).toEqual({ processes: [], files: [] });
    }
  });

  test("gets the variables that are passed on, and their values are written nowhere", async () => {
    const flags = ["--agent-env", "AGENT_KEY"];
    const said = await agent('echo "key: $AGENT_KEY"; echo "$AGENT_KEY" >&2', flags);
    expect(said.attempts[0]?.answer).toBe("key: [AGENT_KEY]\n[AGENT_KEY]");
    const written = await agent('echo "// $AGENT_KEY" >> src/bounded_queue.cpp', flags);
    expect(written.attempts[0]).toMatchObject({
      patch: null,
      shown: { word: "rejected", lines: ["the patch holds the value of AGENT_KEY"] },
    });
    const named = await agent('mkfifo "pipe \\"$AGENT_KEY"', flags);
    expect(named.attempts[0]).toMatchObject({
      patch: null,
      shown: { word: "rejected", lines: ["the name of a file holds the value of AGENT_KEY"] },
    });
    for (const { run } of [said, written, named])
      for (const name of ["run.json", "attempts.jsonl"])
        expect(readFileSync(join(run, name), "utf8")).not.toContain(secret);
  });

  test("that is interrupted is ended with all that it started, and nothing is left", async () => {
    const running = start(null, ["--agent", "setsid sleep 1000 & sleep 1000", "--run", newFolder()]);
    const { child, temporary } = running;
    while (!processesOf({ pid: child.pid ?? 0, temporary }).some((each) => / sleep$/.test(each)))
      await sleep(20);
    child.kill("SIGINT");
    const result = await running.ended;
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 130, stdout: "" });
    expect(await leftBehind(result)).toEqual({ processes: [], files: [] });
  });
});

describe("a run of an agent", () => {
  test("is gone on with, as it was asked for, and its last patch is still there", async () => {
    const script = 'test -z "$HIDDEN_ORACLE_LAST_PATCH_FILE" || echo again; repair keeps-power-of-two-mask';
    const { run } = await agent(script);
    const again = await start(null, ["--resume", run, "--attempts", "2"], task, environment).ended;
    expect(again.stdout).toBe("OVERFIT\n");
    expect(linesOf(join(run, "attempts.jsonl"))).toMatchObject([
      { answer: "", repeated: false },
      { answer: "again", repeated: true },
    ]);
    const refused = await start(null, ["--resume", run, "--agent-network"], task, environment).ended;
    expect(refused).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("--agent-network has no meaning with --resume"),
    });
  });

  test("ends at the time budget without the attempt that is under way", async () => {
    const { code, stderr, attempts } = await agent("sleep 100", ["--time-budget", "2", "--attempts", "3"]);
    expect({ code, attempts }, stderr).toEqual({ code: 75, attempts: [] });
    expect(stderr).toContain("no answer was judged before the run ended · time-budget");
  });
});

describe("the command line refuses", () => {
  const inCache = join(folder, "cache/inside");
  mkdirSync(inCache, { recursive: true });
  test.each<[string, readonly string[], RegExp]>([
    ["the task folder for an agent", ["--agent-path", task], /--agent-path would show the task folder/],
    ["a folder within it", ["--agent-path", join(task, "oracles")], /would show the task folder/],
    ["a folder around it", ["--agent-path", folder], /would show the task folder/],
    ["the cache", ["--agent-path", inCache], /would show the cache/],
    ["the root", ["--agent-path", "/"], /would show the task folder/],
    ["a folder that is none", ["--agent-path", join(folder, "none")], /is no folder/],
    ["a variable of the grader's", ["--agent-env", "HIDDEN_ORACLE_IDENTITY"], /can't pass this variable on/],
    ["a variable that is not set", ["--agent-env", "NOT_SET"], /is not set · NOT_SET/],
    ["a model's flags", ["--base-url", "http://127.0.0.1:1"], /--base-url has no meaning with --agent/],
    ["no time at all", ["--agent-timeout", "0"], /whole number from 1/],
  ])("%s, with 64", async (_what, flags, message) => {
    const { code, stdout, stderr } = await start(null, ["--agent", "true", "--run", newFolder(), ...flags])
      .ended;
    expect({ code, stdout }).toEqual({ code: 64, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("flags of an agent without one", async () => {
    const { code, stderr } = await start(null, ["--agent-network"]).ended;
    expect({ code, stderr }).toMatchObject({
      code: 64,
      stderr: expect.stringContaining("--agent-network needs --agent"),
    });
  });

  test("a program that is not there, with 69 and how to show it", async () => {
    const { code, stderr } = await start(null, ["--agent", "no-such-agent --fix", "--run", newFolder()])
      .ended;
    expect(code).toBe(69);
    expect(stderr).toMatch(/does not start in the sandbox · .*no-such-agent[\s\S]*--agent-path/);
  });
});

test("a helper of the shown tests is in the checkout under its own path", async () => {
  const copy = copyTask(inRepository("examples/bounded-queue"), folder);
  const visible = join(copy, "tests/visible.cpp");
  writeFileSync(join(copy, "tests/helper.hpp"), "#pragma once\n// a helper\n");
  writeFileSync(visible, `#include "helper.hpp"\n${readFileSync(visible, "utf8")}`);
  const { attempts } = await agent("cat tests/helper.hpp; ls -R .", [], copy);
  expect(attempts[0]?.answer).toContain("// a helper");
  expect(attempts[0]?.answer).not.toContain("hidden");
});
