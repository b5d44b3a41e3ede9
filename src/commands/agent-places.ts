/** What an agent may never be shown, and whether a folder would show it. */
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { ExitCode, GraderError } from "../model/errors.ts";
import type { Task } from "../model/task.ts";
import { assertReachable } from "../sandbox/machine.ts";
import { shownSystem } from "../sandbox/run-agent.ts";
import { identityFile } from "./identity.ts";
import { cacheFolder } from "./open.ts";
import { stateFolder } from "./state-folder.ts";

/** A folder by what it is to the operator. */
interface Place {
  readonly what: string;
  readonly path: string;
}

/** Everything of the grader's that holds the oracle, or speaks of it. */
export function guardedPlaces(task: Task, runFolder: string, identity: string | undefined): Place[] {
  const identityPath = identityFile(identity);
  return [
    { what: "the task folder", path: task.root },
    { what: "the cache", path: cacheFolder(process.env) },
    { what: "the state folder", path: stateFolder() },
    { what: "the run's folder", path: runFolder },
    ...(identityPath === undefined ? [] : [{ what: "the identity file", path: identityPath }]),
  ].map(({ what, path }) => ({ what, path: realPath(resolve(path)) }));
}

/** @throws GraderError 65 when the system's own folders, which every agent is shown, hold a guarded place. */
export function assertSystemHoldsNone(guarded: readonly Place[]): void {
  for (const shown of shownSystem.map(realPath)) {
    const held = guarded.find(({ path }) => isWithin(path, shown));
    if (held !== undefined)
      throw new GraderError(
        ExitCode.badTask,
        `${held.what} lies in a folder that every agent is shown · ${held.path}`,
        {
          hint: `move it out of ${shown}`,
        },
      );
  }
}

/**
 * A folder for an agent, under the name that it was given and under its real one, which links within it may use.
 *
 * @throws GraderError 64 when it is none, or would show a guarded place.
 */
export function checkedTool(named: string, guarded: readonly Place[]): { from: string; to: string }[] {
  const path = realPath(resolve(named));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw usage("--agent-path is no folder", named, "name the folder of the agent's programs");
  const home = realPath(homedir());
  const held = guarded.find((place) => isWithin(place.path, path) || isWithin(path, place.path));
  if (held !== undefined)
    throw usage(
      `--agent-path would show ${held.what}`,
      named,
      "name a folder that holds nothing but the agent",
    );
  if (isWithin(home, path))
    throw usage(
      "--agent-path would show the whole home folder",
      named,
      "name the folder of the agent within it",
    );
  if (process.getuid?.() === 0) assertReachable(path);
  return [...new Set([resolve(named), path])].map((to) => ({ from: path, to }));
}

function usage(message: string, value: string, hint: string): GraderError {
  return new GraderError(ExitCode.usage, `${message} · ${value}`, { hint });
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Without links, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || path === dirname(path)) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}
