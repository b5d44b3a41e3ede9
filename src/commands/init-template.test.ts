import { expect, test } from "vitest";
import { parseManifest } from "../model/manifest.ts";
import { applyPatchText } from "../model/patch.ts";
import { newTaskFiles } from "./init-template.ts";

const files = new Map(newTaskFiles);
const manifest = parseManifest(files.get("manifest.json") ?? "", "manifest.json");

test("every file that the new manifest names is written", () => {
  const named = [...manifest.sources, manifest.prompt, ...Object.keys(manifest.calibration)];
  const tests = [...manifest.visible, ...manifest.hidden].flatMap(({ sources }) => sources);
  for (const path of [...named, ...tests]) expect(files.has(path ?? "")).toBe(true);
});

test("its patches apply as they stand, with nothing to mend", () => {
  const tree = new Map(manifest.sources.map((path) => [path, files.get(path) ?? ""]));
  for (const path of Object.keys(manifest.calibration)) {
    const scope = { sources: manifest.sources, protect: [], mode: "reject" as const };
    const result = applyPatchText(Buffer.from(files.get(path) ?? ""), tree, scope);
    expect(result).toMatchObject({ status: "applied", files: ["src/trim.cpp"], notes: [] });
  }
});
