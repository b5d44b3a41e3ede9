/** Compiles the server unit against the patched headers and links it to the candidate's object. */
import { join } from "node:path";
import { type CandidateFlags, compileCandidateUnit, linkCandidate } from "../../model/build-plan.ts";
import { type Built, runBuildStep } from "../build-step.ts";
import type { CandidateObject, LaidTree } from "../candidate.ts";
import type { GradeContext } from "../context.ts";
import { inside, type Kit } from "../kit.ts";
import { precompiledFor, precompiledName } from "../precompiled.ts";

/** A candidate's object that may still be in the making. */
export type Pending = Promise<Built<{ readonly candidate: CandidateObject }>>;

/** The host folder to bind as `inside.server`. */
export async function buildServer(
  context: GradeContext,
  kit: Kit,
  flags: CandidateFlags,
  tree: LaidTree,
  server: string,
  pending: Pending,
): Promise<Built<string>> {
  const { machine, task } = context;
  const { limits } = task.manifest;
  // It begins with the includes of the candidate's header, as the candidate's own units do.
  const texts = { path: "server.cpp", baseline: server, text: server, forTests: false };
  const pch = await precompiledFor(context, kit, flags, texts, tree.files);
  const compile = compileCandidateUnit(flags, "-", "server.o", pch && precompiledName);
  const object = machine.newFolder("server");
  const folders = { tree: tree.folder, out: object, more: pch ? [pch.bind] : [] };
  const text = Buffer.from(server, "latin1");
  const compiled = await runBuildStep(machine, kit, compile, folders, limits, text);
  if (!compiled.built) return compiled;
  const built = await pending;
  if (!built.built) return built;
  const link = linkCandidate(flags.compiler, ["server.o", "candidate.so"], `${inside.server}/candidate.so`);
  const [program, ...args] = link.argv;
  const out = machine.newFolder("served");
  const more = [
    { from: join(object, "server.o"), to: "/i/server.o" },
    { from: join(built.value.candidate.folder, "candidate.so"), to: "/i/candidate.so" },
  ];
  // Some compilers leave out objects that nothing asks for, unless told before they are named.
  const step = { ...link, argv: [program, "-Wl,--no-as-needed", ...args] as const };
  const linked = await runBuildStep(machine, kit, step, { out, more }, limits);
  return linked.built ? { built: true, value: out } : linked;
}
