/** For a target with `"isolation": "process"`: the proxy headers of its test and the server of the candidate. */
import type { BuildStep } from "../../model/build-plan.ts";
import { GraderError } from "../../model/errors.ts";
import { type FileTree, isHeader, type Target, type Task } from "../../model/task.ts";
import { includedFiles } from "../../model/test-unit.ts";
import { operationsOf, proxyHeader } from "./generate-proxy.ts";
import { type ProxiedHeader, serverUnit } from "./generate-server.ts";
import { NotProxiedError } from "./interface.ts";
import { readHeader } from "./read-header.ts";

/** Both halves, made from the baseline alone. */
export interface Remote {
  /** What stands in for the candidate's headers where the test is compiled, by the same paths. */
  readonly proxies: FileTree;
  /** A unit to be compiled and linked with the candidate. */
  readonly server: string;
}

const hint = 'take "isolation" from this target, or see docs/isolation.md for what a proxy can stand in for';

/**
 * Reads the baseline's headers, as far as the target's test includes them.
 *
 * @throws GraderError 65 where one of them is more than a plain class interface.
 */
export function openRemote(task: Task, target: Target): Remote {
  const headers = reachedHeaders(task, target).map((path) => readProxied(task, target, path));
  const classes = headers.flatMap(({ header }) => header.items.filter(({ kind }) => kind === "class"));
  if (classes.length === 0)
    throw new GraderError(
      65,
      `${target.name}: nothing to proxy · its test includes no class of \`sources\``,
      {
        hint,
      },
    );
  const proxies = new Map<string, string>();
  let first = 0;
  for (const { path, header } of headers) {
    proxies.set(path, proxyHeader(header, first));
    for (const item of header.items) if (item.kind === "class") first += operationsOf(item.value);
  }
  return { proxies, server: serverUnit(headers) };
}

/** The fault of a test that can't be compiled against proxies, which are the same for every patch. */
export function testNeedsMore(target: Target, said: string): GraderError {
  return new GraderError(
    65,
    `${target.name} can't be compiled against the proxy of its class · ${said.slice(0, 300)}`,
    { hint: `copies, moves and private members can't be proxied: ${hint}` },
  );
}

/** The link of an isolated test: it reaches the candidate through the launcher, by no symbol. */
export function withoutCandidate(step: BuildStep): BuildStep {
  const [program, ...args] = step.argv;
  return { ...step, argv: [program, ...args.filter((arg) => arg !== "/k/candidate.so")] };
}

/** Headers of `sources` that the test reaches by quoted includes; those that others need come first. */
function reachedHeaders(task: Task, target: Target): string[] {
  const readFile = (path: string) => task.sources.get(path) ?? task.headers.get(path);
  const world = { includeDirs: task.includeDirs, readFile };
  const seen = new Set<string>();
  const reached: string[] = [];
  const visit = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const inner of includedFiles(path, readFile(path) ?? "", world)) visit(inner);
    if (task.sources.has(path) && isHeader(path)) reached.push(path);
  };
  // A test's unit is compiled from the task's folder, whatever folder the test is in.
  for (const { unit } of target.sources)
    for (const path of includedFiles("test.cpp", unit, world)) visit(path);
  return reached;
}

function readProxied(task: Task, target: Target, path: string): ProxiedHeader {
  try {
    return { path, header: readHeader(task.sources.get(path) ?? "") };
  } catch (error) {
    if (!(error instanceof NotProxiedError)) throw error;
    throw new GraderError(65, `${target.name}: can't be proxied · ${error.message}`, {
      hint,
      location: { file: path, line: error.line, column: 1 },
      cause: error,
    });
  }
}
