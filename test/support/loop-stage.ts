/** What tests of the loop share: scripted servers, a task with a canary in its oracle, and the command line. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type CliResult, type RunningCli, runCli, startCli } from "./cli.ts";
import { type ModelServer, modelServer, type Step, says } from "./model-server.ts";
import { inRepository } from "./repository.ts";
import { copyTask, type ManifestChanges } from "./task-copy.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** The key that every run is given. */
export const key = "key-0123456789-of-the-tests";
/** Stands in the oracle and nowhere else. */
export const canary = "canary_7f3a_only_the_oracle_has";
export const patches = inRepository("examples/bounded-queue/patches");

/** A recorded patch of the shipped task, as a model would answer it. */
export function answerOf(name: string): string {
  return `Here is the repair.\n\n\`\`\`diff\n${readFileSync(join(patches, `${name}.diff`), "utf8")}\`\`\`\n`;
}
export const overfits = says(answerOf("keeps-power-of-two-mask"));
export const fixes = says(answerOf("modulo-64-bit"));

/** The lines of a JSONL file. */
export function linesOf(file: string): Record<string, unknown>[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** What a request's last message says. */
export function lastMessage(body = "{}"): string {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  return messages.at(-1)?.content ?? "";
}

/** A copy of the shipped task whose oracle holds the canary. */
function taskIn(folder: string, changes: ManifestChanges): string {
  const copy = copyTask(inRepository("examples/bounded-queue"), folder, changes);
  const oracle = join(copy, "oracles/hidden.cpp");
  const text = readFileSync(oracle, "utf8");
  writeFileSync(oracle, `// ${canary}\n${text}\n[[maybe_unused]] static const int ${canary} = 7531;\n`);
  return copy;
}

/** A task whose reserve layer fails what is right. */
function reservedTaskIn(folder: string): string {
  const copy = taskIn(folder, { reserve: "oracles/reserve.cpp" });
  writeFileSync(
    join(copy, "oracles/reserve.cpp"),
    '#include <cassert>\n#include "bounded_queue.hpp"\nint main() { BoundedQueue q(3); assert(q.capacity() == 4); }\n',
  );
  return copy;
}

/** A test file's own servers, runs and folders, so that all that was sent and written can be searched at the end. */
export function loopStage(name: string) {
  const folder = temporaryFolder(name);
  const env = { HIDDEN_ORACLE_STATE: join(folder, "state"), OPENAI_API_KEY: key };
  const servers: ModelServer[] = [];
  const runs: CliResult[] = [];
  const task = taskIn(folder, {});
  const argvOf = (server: ModelServer | null, flags: readonly string[], at: string) => {
    const endpoint = server === null ? [] : ["--base-url", server.baseUrl, "--model", "scripted"];
    // The file of a comparison names its tasks itself.
    const task = flags.includes("--config") ? [] : ["--task", at];
    return ["loop", ...task, ...endpoint, ...flags];
  };
  const start = (
    server: ModelServer | null,
    flags: readonly string[],
    at = task,
    more: Readonly<Record<string, string>> = {},
  ): RunningCli => {
    const running = startCli(argvOf(server, flags, at), { folder, env: { ...env, ...more } });
    void running.ended.then((result) => runs.push(result));
    return running;
  };
  return {
    folder,
    env,
    task,
    taskWith: (changes: ManifestChanges = {}) => taskIn(folder, changes),
    withReserve: () => reservedTaskIn(folder),
    start,
    loop: (server: ModelServer | null, flags: readonly string[], at = task) => start(server, flags, at).ended,
    brief: (at: string, ...flags: string[]) => runCli(["brief", "--task", at, ...flags], { folder, env }),
    newFolder: () => join(mkdtempSync(join(folder, "run-")), "run"),
    serve: async (...script: Step[]) => {
      const server = await modelServer(script);
      servers.push(server);
      return server;
    },
    expectNothingLeaked: (atLeast: { servers: number; files: number }) => {
      const files = writtenFiles(folder);
      expect(servers.length).toBeGreaterThanOrEqual(atLeast.servers);
      expect(files.length).toBeGreaterThanOrEqual(atLeast.files);
      for (const server of servers) expect(server.bytes()).not.toContain(canary);
      const outputs = runs.flatMap(({ stdout, stderr }) => [stdout, stderr]);
      for (const text of [...files, ...outputs]) expect(text).not.toContain(key);
    },
  };
}

function writtenFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
}
