/** What runs leave behind: going on with them, grading them again, comparing them. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CliResult, runCli } from "../support/cli.ts";
import { fixes, linesOf, loopStage, overfits, patches } from "../support/loop-stage.ts";
import { type Step, says } from "../support/model-server.ts";

const stage = loopStage("loop-transcripts");
const { folder, env, task, taskWith, withReserve, serve, loop, start, newFolder, expectNothingLeaked } =
  stage;

describe("a transcript", () => {
  test("is gone on with after an interruption, and no answer is asked for twice", async () => {
    const run = newFolder();
    const server = await serve(overfits, { kind: "silence" }, fixes);
    const running = start(server, ["--run", run]);
    const second = new Promise<CliResult>((resolve) => {
      server.onRequest = (count) => {
        if (count === 2) resolve(loop(null, ["--resume", run]));
      };
    });
    expect((await second).code).toBe(75);
    expect((await second).stderr).toContain(`another process is at this run · ${run}`);
    running.child.kill("SIGINT");
    const stopped = await running.ended;
    expect({ code: stopped.code, stdout: stopped.stdout }, stopped.stderr).toEqual({ code: 130, stdout: "" });
    expect(stopped.stderr).toContain("--resume");
    const { code, stdout } = await loop(null, ["--resume", run]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "PASS\n" });
    expect(server.requests).toHaveLength(3);
    expect(linesOf(join(run, "attempts.jsonl")).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test("keeps an answer that was not judged yet, and judges it without asking", async () => {
    const run = newFolder();
    const first = await serve(overfits);
    await loop(first, ["--run", run, "--attempts", "1"]);
    const [line = {}] = linesOf(join(run, "attempts.jsonl"));
    const { kind: _kind, sources: _sources, shown: _shown, repeated: _repeated, ...answered } = line;
    const patch = readFileSync(join(patches, "modulo-64-bit.diff"), "utf8");
    writeFileSync(join(run, "pending.json"), JSON.stringify({ ...answered, attempt: 2, patch, why: "" }));
    const { stdout, stderr } = await loop(null, ["--resume", run, "--attempts", "2"]);
    expect(stdout, stderr).toBe("PASS\n");
    expect(first.requests).toHaveLength(1);
    expect(existsSync(join(run, "pending.json"))).toBe(false);
  });

  test("of a run that was killed between two writes comes to the same end, without a second label, record or question to the reserve", async () => {
    const [reserved, run] = [withReserve(), newFolder()];
    const server = await serve(overfits, fixes);
    await loop(server, ["--run", run], reserved);
    const [attempts, records] = [join(run, "attempts.jsonl"), join(run, "records.jsonl")];
    const [first = "", second = ""] = readFileSync(attempts, "utf8").split("\n");
    const judged = readFileSync(records, "utf8");
    const [one = "", two = "", final = ""] = judged.split("\n");
    const words = judged.replaceAll(/"at":"[^"]*"/g, "");
    const id = (JSON.parse(readFileSync(join(run, "run.json"), "utf8")) as { id: string }).id;
    const labels = () =>
      linesOf(join(env.HIDDEN_ORACLE_STATE, "ledger.jsonl")).filter(({ run }) => run === id);
    expect(labels()).toHaveLength(2);
    for (const [told, known, pending] of [
      [[first], [one, two], second],
      [[first, second], [one, two, final], second],
    ] as const) {
      writeFileSync(attempts, `${told.join("\n")}\n`);
      writeFileSync(records, `${known.join("\n")}\n`);
      writeFileSync(join(run, "pending.json"), JSON.stringify({ ...JSON.parse(pending), why: "" }));
      const { code, stdout, stderr } = await loop(null, ["--resume", run], reserved);
      expect({ code, stdout }, stderr).toEqual({ code: 4, stdout: "OVERFIT\n" });
      expect(linesOf(attempts).map(({ attempt }) => attempt)).toEqual([1, 2]);
      expect(linesOf(attempts)).toMatchObject([{ repeated: false }, { repeated: false }]);
      expect(linesOf(records)).toHaveLength(4);
      if (known.length === 3)
        expect(readFileSync(records, "utf8").replaceAll(/"at":"[^"]*"/g, "")).toBe(words);
    }
    expect(labels()).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
  });

  test("is gone on with where its last line was cut short", async () => {
    const [server, run] = [await serve(overfits, fixes), newFolder()];
    await loop(server, ["--run", run, "--attempts", "1"]);
    const file = join(run, "attempts.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8")}{"kind":"attempt","atte`);
    const { stdout, stderr } = await loop(null, ["--resume", run, "--attempts", "2"]);
    expect(stdout, stderr).toBe("PASS\n");
    expect(linesOf(file)).toHaveLength(2);
  });

  test("that is damaged is named with its line and what is wrong there", async () => {
    const [server, run] = [await serve(overfits), newFolder()];
    await loop(server, ["--run", run, "--attempts", "1"]);
    writeFileSync(join(run, "attempts.jsonl"), '{"kind":"attempt"}\n');
    const { code, stderr } = await loop(null, ["--resume", run]);
    expect(code).toBe(66);
    expect(stderr).toMatch(/the run is damaged · .*attempts\.jsonl:1 · attempt: .*\n.*hint: /);
    rmSync(join(run, "attempts.jsonl"));
    symlinkSync("/dev/null", join(run, "attempts.jsonl"));
    const device = await loop(null, ["--replay", run]);
    expect([device.code, device.stderr]).toEqual([66, expect.stringContaining("no regular file")]);
  });

  test("is graded again with no model, and agrees", async () => {
    const [server, run] = [await serve(overfits, says("No."), fixes), newFolder()];
    await loop(server, ["--run", run]);
    const asked = server.requests.length;
    const { code, stdout, stderr } = await loop(null, ["--replay", run]);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "PASS\n" });
    expect(stderr).toMatch(
      /attempt 1\.1 · OVERFIT\nattempt 2\.1 · rejected\nattempt 3\.1 · PASS\nall as recorded/,
    );
    expect(server.requests).toHaveLength(asked);
  });

  test("that says otherwise than a new grade is found out with 6", async () => {
    const [server, run] = [await serve(overfits), newFolder()];
    await loop(server, ["--run", run, "--attempts", "1"]);
    const file = join(run, "records.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace('"verdict":"OVERFIT"', '"verdict":"PASS"'));
    const { code, stderr } = await loop(null, ["--replay", run]);
    expect(code).toBe(6);
    expect(stderr).toContain("attempt 1.1 · OVERFIT · recorded as PASS");
  });

  test("is not written over by another run", async () => {
    const [server, run] = [await serve(overfits), newFolder()];
    await loop(server, ["--run", run, "--attempts", "1"]);
    const { code, stderr } = await loop(server, ["--run", run]);
    expect(code).toBe(64);
    expect(stderr).toMatch(/a run is there already/);
  });
});

test("a run against a sealed oracle leaves no text of it in any file", async () => {
  const [sealed, identity, run] = [taskWith(), join(folder, "key"), newFolder()];
  const seal = await runCli(["seal", "--task", sealed, "--new-identity", identity], { folder, env });
  expect(seal.code, seal.stderr).toBe(0);
  const flags = ["--identity", identity, "--attempts", "1", "--run", run];
  const { stdout, stderr } = await loop(await serve(overfits), flags, sealed);
  expect(stdout, stderr).toBe("OVERFIT\n");
  const [record] = linesOf(join(run, "records.jsonl"));
  expect(record).toMatchObject({
    record: {
      verdict: "OVERFIT",
      layers: { hidden: { status: "fail", cause: "assertion", detail: "sealed" } },
    },
  });
  for (const file of ["run.json", "attempts.jsonl", "records.jsonl"])
    expect(readFileSync(join(run, file), "utf8")).not.toMatch(/oracles\/hidden\.cpp:|assert\(queue/);
});

describe("a comparison", () => {
  test("prints pass@1 and pass@k with intervals, the overfit rate and tokens for each PASS, by model", async () => {
    const [good, poor] = [await serve(fixes, overfits), await serve(overfits)];
    const config = join(folder, "bench.jsonc");
    const out = newFolder();
    writeFileSync(
      config,
      JSON.stringify({
        models: [
          { name: "good", baseUrl: good.baseUrl },
          { name: "poor", baseUrl: poor.baseUrl, priceIn: 1 },
        ],
        tasks: [task],
        samples: 2,
      }),
    );
    const first = await loop(null, ["--config", config, "--run", out, "--json"]);
    expect(first.code, first.stderr).toBe(0);
    const { summaries } = JSON.parse(first.stdout) as { summaries: unknown };
    expect(summaries).toMatchObject([
      {
        model: "good",
        judged: 2,
        passed: 1,
        passAt: { 1: { value: 0.5, interval: "wilson" }, 2: { value: 1 } },
        overfitRate: 0.5,
        tokensPerPass: 240,
        cost: null,
      },
      {
        model: "poor",
        judged: 2,
        passed: 0,
        passAt: { 1: { value: 0 } },
        overfitRate: 1,
        tokensPerPass: null,
        cost: 0.0002,
      },
    ]);
    const asked = good.requests.length;
    const again = await loop(null, ["--config", config, "--run", out]);
    expect(good.requests).toHaveLength(asked);
    expect(again.stdout).toMatch(
      /model +prompt +judged +pass@1 +pass@2 +overfit +tokens +tokens\/PASS +cost\ngood +standing +2\/2 +50\.0 % \[/,
    );
    // What was asked for otherwise is no part of the same row.
    writeFileSync(config, readFileSync(config, "utf8").replace('"samples":2', '"samples":2,"attempts":3'));
    const otherwise = await loop(null, ["--config", config, "--run", out]);
    expect(otherwise.code).toBe(75);
    expect(otherwise.stderr).toContain("· 2 · the run was asked for with another attempts");
  });

  test("with a hint that quotes the oracle ends with 65 before anything is sent", async () => {
    const oracle = readFileSync(join(task, "oracles/hidden.cpp"), "utf8");
    const quote = oracle.split("\n").slice(0, 60).join("\n");
    const [server, config] = [await serve(fixes), join(folder, "leaking.jsonc")];
    const models = [{ name: "m", baseUrl: server.baseUrl }];
    const tasks = [task, taskWith({ id: "leaking", hints: { OVERFIT: quote } })];
    writeFileSync(config, JSON.stringify({ models, tasks }));
    const { code, stdout, stderr } = await loop(null, ["--config", config, "--run", newFolder()]);
    expect({ code, stdout, asked: server.requests.length }).toEqual({ code: 65, stdout: "", asked: 0 });
    expect(stderr).toMatch(/a hint leaks the oracle · hints\.OVERFIT, line/);
  });

  test("that is interrupted says how to go on, and asks then only for what had not ended", async () => {
    const [server, config, out] = [
      await serve(fixes, { kind: "silence" }, fixes),
      join(folder, "stopped.jsonc"),
      newFolder(),
    ];
    const models = [{ name: "m", baseUrl: server.baseUrl }];
    writeFileSync(config, JSON.stringify({ models, tasks: [task], samples: 2, concurrency: 1 }));
    const running = start(null, ["--config", config, "--run", out]);
    server.onRequest = (count) => count === 2 && running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }, stderr).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain(`what was done is kept; go on with --config ${config} --run ${out}\n`);
    expect((await loop(null, ["--config", config, "--run", out])).code).toBe(0);
    expect(server.requests).toHaveLength(3);
  });

  test("keeps a model that can't be asked as not judged, and ends with 75", async () => {
    const refusal: Step = { kind: "status", status: 404, body: "{}" };
    const [good, gone] = [await serve(fixes), await serve(refusal)];
    const config = join(folder, "gone.jsonc");
    const models = [good, gone].map(({ baseUrl }, at) => ({ name: `m${at}`, baseUrl }));
    writeFileSync(config, `// two models\n${JSON.stringify({ models, tasks: [task] })}`);
    const { code, stdout, stderr } = await loop(null, ["--config", config, "--run", newFolder()]);
    expect(code).toBe(75);
    expect(stdout).toMatch(/m0 +standing +1\/1 [\s\S]*m1 +standing +0\/1 /);
    expect(stderr).toMatch(/not judged: m1 · standing · bounded-queue · 1 · .*404/);
  });
});

test("what the oracle alone holds is in none of the bytes that were sent, and the key in no file and no output", () => {
  expectNothingLeaked({ servers: 8, files: 20 });
});
