/** The shipped tasks, and the patches that are recorded in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Manifest, parseManifest } from "../../src/model/manifest.ts";
import { inRepository } from "./repository.ts";

/** A shipped task. */
export interface Example {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
  /** Names of the files in its folder of patches, such as `patches/a.diff`, in order. */
  readonly patches: readonly string[];
}

/** Every folder of `examples/`, by name. */
export const examples: readonly Example[] = readdirSync(inRepository("examples")).sort().map(readExample);

function readExample(name: string): Example {
  const folder = inRepository(`examples/${name}`);
  const path = join(folder, "manifest.json");
  const manifest = parseManifest(readFileSync(path, "utf8"), path);
  const patches = readdirSync(join(folder, "patches")).sort();
  return { name, folder, manifest, patches: patches.map((file) => `patches/${file}`) };
}
