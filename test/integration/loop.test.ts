/** The loop from end to end: the real command line against a real server, graded in the real sandbox. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CliResult, runCli, startCli } from "../support/cli.ts";
import { type ModelServer, modelServer, type Step, says } from "../support/model-server.ts";
import { inRepository } from "../support/repository.ts";
import { copyTask } from "../support/task-copy.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("loop");
const key = "key-0123456789-of-the-tests";
const canary = "canary_7f3a_only_the_oracle_has";
const patches = inRepository("examples/bounded-queue/patches");
const servers: ModelServer[] = [];
const runs: CliResult[] = [];
let task = "";

/** A patch of the shipped task, as a model would answer it. */
function answerOf(name: string): string {
  return `Here is the repair.\n\n\`\`\`diff\n${readFileSync(join(patches, `${name}.diff`), "utf8")}\`\`\`\n`;
}
const overfits = says(answerOf("keeps-power-of-two-mask"));
const fixes = says(answerOf("modulo-64-bit"));

/** A task whose oracle holds a canary that nothing else does. */
function taskWith(changes: Record<string, unknown> = {}): string {
  const copy = copyTask(inRepository("examples/bounded-queue"), folder, changes);
  const oracle = join(copy, "oracles/hidden.cpp");
  const text = readFileSync(oracle, "utf8");
  writeFileSync(oracle, `// ${canary}\n${text}\n[[maybe_unused]] static const int ${canary} = 7531;\n`);
  return copy;
}

async function serve(...script: Step[]): Promise<ModelServer> {
  const server = await modelServer(script);
  servers.push(server);
  return server;
}

const env = { HIDDEN_ORACLE_STATE: join(folder, "state"), OPENAI_API_KEY: key };

async function loop(server: ModelServer | null, flags: readonly string[], at = task): Promise<CliResult> {
  const endpoint = server === null ? [] : ["--base-url", server.baseUrl, "--model", "scripted"];
  const result = await runCli(["loop", "--task", at, ...endpoint, ...flags], { folder, env });
  runs.push(result);
  return result;
}

function newFolder(): string {
  return join(mkdtempSync(join(folder, "run-")), "run");
}

function linesOf(file: string): Record<string, unknown>[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

beforeAll(() => {
  task = taskWith();
});

describe("a scripted model", () => {
  test("that first overfits and then fixes reaches PASS at attempt 2", async () => {
    const [server, run] = [await serve(overfits, fixes), newFolder()];
    const { code, stdout, stderr } = await loop(server, ["--run", run]);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "PASS\n" });
    expect(server.requests).toHaveLength(2);
    const told = linesOf(join(run, "attempts.jsonl"));
    expect(told).toMatchObject([{ shown: { word: "overfit", lines: [] } }, { shown: { word: "pass" } }]);
  });
});
