/** The reference's sources → a list of mutants. */
import { bodiesOf, readNames } from "./bodies.ts";
import { draftAll } from "./draft.ts";
import { finishDrafts } from "./finish.ts";
import { joinDrafts } from "./joint.ts";
import type { Mutant } from "./mutant.ts";
import type { World } from "./mutator.ts";
import { mutators } from "./operators/registry.ts";
import { cutMutants, type Focus, rankMutants } from "./rank.ts";
import { readShown } from "./shown.ts";

export interface Source {
  /** The reference's sources by path, as latin1 strings. */
  readonly files: ReadonlyMap<string, string>;
  /** The texts of the visible tests. */
  readonly visible: readonly string[];
  /** The lines that the reference patch touched: their mutants come first. */
  readonly focus?: Focus;
  /** The most mutants to give; every family keeps some. */
  readonly limit?: number;
}

/** Parses the sources and reads what the visible tests show. */
export async function readWorld({ files, visible }: Pick<Source, "files" | "visible">): Promise<World> {
  const fixedWidth = [...files.values()].some((text) => text.includes("<cstdint>"));
  return {
    names: await readNames(files),
    shown: await readShown(visible),
    integer: fixedWidth ? standardName : plainName,
  };
}

function standardName(bits: number, signed: boolean): string {
  return `std::${signed ? "" : "u"}int${bits}_t`;
}

function plainName(bits: number, signed: boolean): string {
  const name = bits === 8 ? "char" : bits === 16 ? "short" : "int";
  return signed ? (bits === 8 ? "signed char" : name) : `unsigned ${name}`;
}

/** All mutants of the sources, distinct in text, the most telling places first. */
export async function generateMutants(source: Source): Promise<Mutant[]> {
  const world = await readWorld(source);
  const single = draftAll(mutators, world);
  const joint = joinDrafts(single, source.files, world.names);
  const mutants = finishDrafts([...single, ...joint], source.files, world.names, bodiesOf(world.names));
  const ranked = rankMutants(mutants, source.focus ?? new Map(), world.names);
  return cutMutants(ranked, source.limit ?? Number.POSITIVE_INFINITY);
}
