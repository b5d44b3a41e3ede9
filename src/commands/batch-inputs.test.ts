import { describe, expect, test } from "vitest";
import { inputOfRow } from "./batch-inputs.ts";

const around = { name: "runs/rows.jsonl", folder: "/runs" };
const input = (row: unknown) => inputOfRow({ number: 3, text: JSON.stringify(row) }, around);
const faultOf = (row: unknown) => {
  const { id, content } = input(row);
  return content.kind === "fault" ? `${id}: ${content.fault.message}` : "none";
};

describe("a row", () => {
  test("gives its patch as text, and paths relative to its file", () => {
    expect(input({ id: 7, patch: "x", task: "../tasks/a", expected: "PASS" })).toEqual({
      id: "7",
      content: { kind: "text", text: "x" },
      task: "/tasks/a",
      expected: "PASS",
    });
    expect(input({ id: "b", patchFile: "b.diff" }).content).toEqual({ kind: "file", path: "/runs/b.diff" });
  });

  test("that can't be read is an input with a fault, named by its id or its place", () => {
    expect(faultOf({ id: "a" })).toBe(`a: the row can't be read · it needs either "patch" or "patchFile"`);
    expect(faultOf({ id: "a", patch: "", patchFile: "" })).toContain("either");
    expect(faultOf({ patch: "x" })).toMatch(/^rows.jsonl:3: the row can't be read · "id"/);
    expect(faultOf({ id: "a", patch: "x", expected: "OK" })).toMatch(/^a: .*"expected"/);
    expect(faultOf(null)).toContain("rows.jsonl:3");
  });

  test("that is no JSON or too long says so, with its line", () => {
    const torn = inputOfRow({ number: 3, text: '{"id": ' }, around);
    expect(torn.content.kind === "fault" && torn.content.fault.location?.line).toBe(3);
    const long = inputOfRow({ number: 3, text: null }, around);
    expect(long.content.kind === "fault" && long.content.fault.message).toContain("64 MiB");
  });
});
