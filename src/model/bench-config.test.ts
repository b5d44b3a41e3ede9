import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseBenchConfig } from "./bench-config.ts";
import { GraderError } from "./errors.ts";

const model = { name: "m", baseUrl: "http://127.0.0.1:1/v1" };

function fault(config: unknown): string {
  const text = typeof config === "string" ? config : JSON.stringify(config);
  try {
    parseBenchConfig(text, "bench.jsonc");
  } catch (error) {
    if (!(error instanceof GraderError)) throw error;
    const { location, message, hint, exit } = error;
    return `${exit} ${location?.file}:${location?.line}:${location?.column} ${message} · ${hint}`;
  }
  return "none";
}

test("a configuration with comments is read", () => {
  expect(
    parseBenchConfig(`// two\n${JSON.stringify({ models: [model], tasks: ["a"], k: [1, 5] })}`, "f"),
  ).toEqual({
    models: [model],
    tasks: ["a"],
    k: [1, 5],
  });
});

test("the configuration in the documentation is a good one", () => {
  const page = readFileSync(new URL("../../docs/loop.md", import.meta.url), "utf8");
  const example = /```jsonc\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  expect(parseBenchConfig(example, "docs/loop.md").models.map(({ name }) => name)).toEqual([
    "small",
    "large",
  ]);
});

describe("a fault of a configuration is told with its place", () => {
  test.each<[string, unknown, RegExp]>([
    ["no model", { models: [], tasks: ["a"] }, /^65 bench\.jsonc:1:\d+ models must not be empty/],
    [
      "a key that is not known",
      { models: [{ ...model, temprature: 1 }], tasks: ["a"] },
      /unknown key "models\[0\]\.temprature" · did you mean "temperature"\?/,
    ],
    [
      "a name that could leave its folder",
      { models: [{ ...model, name: "../m" }], tasks: ["a"] },
      /models\[0\]\.name must be/,
    ],
    ["a name twice", { models: [model, model], tasks: ["a"] }, /models\[1\]\.name is taken by models\[0\]/],
    [
      "two systems",
      { models: [model], tasks: ["a"], prompts: [{ name: "p", system: "", systemFile: "f" }] },
      /prompts\[0\] has both/,
    ],
    ["no tasks", { models: [model] }, /tasks is missing/],
    ["another type", [], /the configuration must be an object/],
    ["no JSON", "{", /not valid JSON: .* docs\/loop\.md/],
  ])("%s", (_name, config, message) => {
    expect(fault(config)).toMatch(message);
  });
});
