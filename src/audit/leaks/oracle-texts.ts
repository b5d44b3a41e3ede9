/** Which texts of a task are the oracle, and which anybody may see. */
import type { Bytes, Target, Task } from "../../model/task.ts";
import type { OracleTexts, PublicTexts } from "./build-profile.ts";

/** The hidden and the reserve layer. */
export function oracleTexts(task: Task): OracleTexts {
  const targets = [...task.layers.hidden, ...task.layers.reserve];
  return {
    task: task.id,
    code: targets.flatMap(codeOf),
    data: targets.flatMap(dataOf),
    paths: [
      ...new Set(
        targets.flatMap(({ sources }) => sources.flatMap(({ files }) => files.map(({ path }) => path))),
      ),
    ],
  };
}

/** Visible tests, sources, headers and recorded right patches. Not the prompt: it is what is looked at. */
export function publicTexts(task: Task): PublicTexts {
  const { visible } = task.layers;
  const patches = [task.reference, ...task.alternatives].flatMap((patch) => patch?.bytes ?? []);
  const trees = [...task.sources.values(), ...task.headers.values()];
  return {
    texts: [...visible.flatMap(codeOf), ...visible.flatMap(dataOf), ...[...trees, ...patches].map(textOf)],
    paths: [
      ...visible.flatMap(({ sources }) => sources.flatMap(({ files }) => files.map(({ path }) => path))),
      ...task.sources.keys(),
      ...task.headers.keys(),
    ],
  };
}

/** Bytes as text; what isn't UTF-8 becomes replacement characters, which are no part of any token. */
export function textOf(bytes: Bytes): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** A test with its helpers, without what only leads diagnostics back to files. */
function codeOf({ sources }: Target): string[] {
  return sources.map(({ unit }) => textOf(unit).replace(/^#line .*$/gm, ""));
}

function dataOf({ cases, command, args, stdin }: Target): string[] {
  const inputs = cases.flatMap((one) => [one.args.join("\n"), one.stdin, one.stdout ?? ""]);
  return [...inputs, args.join("\n"), (command ?? []).join("\n"), stdin ?? ""]
    .filter((text) => text !== "")
    .map(textOf);
}
