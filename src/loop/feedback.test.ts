import { describe, expect, test } from "vitest";
import type { AgentReport } from "../model/redact.ts";
import type { Attempt } from "../model/transcript.ts";
import { feedbackText, nextMessages, type Round } from "./feedback.ts";
import { roundsBefore } from "./loop.ts";

const report = (word: AgentReport["word"], lines: string[] = []): AgentReport => ({ word, lines, exit: 0 });
const told = (word: AgentReport["word"], lines: string[] = [], hints = {}) =>
  feedbackText({ report: report(word, lines), repeated: false }, hints);

describe("feedback", () => {
  test("after an overfit never holds a line of the judge, whatever it says", () => {
    expect(told("overfit", ["oracles/hidden.cpp:7"])).not.toContain("hidden");
    expect(told("overfit", ["oracles/hidden.cpp:7"])).toBe(told("overfit"));
  });

  test("holds the hint for its own word alone", () => {
    expect(told("overfit", [], { overfit: "Think.", rejected: "No." })).toContain("\n\nThink.\n\n");
    expect(told("overfit", [], { rejected: "No." })).not.toContain("No.");
  });

  test("is cut where the shown layer says too much", () => {
    const long = told("build failed", [
      "x".repeat(5000),
      ...Array.from({ length: 100 }, (_, i) => `line ${i}`),
    ]);
    expect(long.length).toBeLessThan(1500);
    expect(long).toContain("… 61 more lines");
  });

  test("says that a repair was answered before", () => {
    expect(feedbackText({ report: report("overfit"), repeated: true }, {})).toContain(
      "the same repair as an earlier one",
    );
  });
});

test("of the talk the brief and the last three rounds are sent", () => {
  const first = [{ role: "user", content: "brief" }] as const;
  const rounds = [1, 2, 3, 4].map(
    (n): Round => ({ answer: n === 4 ? " " : `answer ${n}`, report: report("overfit"), repeated: false }),
  );
  const sent = nextMessages(first, rounds, {}).map(({ role, content }) => `${role}: ${content.slice(0, 15)}`);
  expect(sent).toEqual([
    "user: brief",
    "assistant: answer 2",
    "user: Verdict: overfi",
    "assistant: answer 3",
    "user: Verdict: overfi",
    "assistant: (no answer)",
    "user: Verdict: overfi",
  ]);
});

test("of the samples of an attempt the best word goes on, and the first of equals", () => {
  const sample = (attempt: number, nth: number, word: AgentReport["word"]) =>
    ({
      attempt,
      sample: nth,
      answer: `${attempt}.${nth}`,
      shown: { word, lines: [] },
      repeated: false,
    }) as unknown as Attempt;
  const attempts = [
    sample(1, 1, "rejected"),
    sample(1, 2, "overfit"),
    sample(1, 3, "overfit"),
    sample(2, 1, "visible failed"),
    sample(2, 2, "build failed"),
    sample(3, 1, "overfit"),
  ];
  expect(roundsBefore(3, attempts).map(({ answer }) => answer)).toEqual(["1.2", "2.1"]);
});

test("of an endless answer only the beginning is sent back", () => {
  const round: Round = { answer: "x".repeat(2 ** 20), report: report("rejected"), repeated: false };
  const [quote] = nextMessages([], [round], {});
  expect(quote?.content.length).toBeLessThan(70_000);
  expect(quote?.content.endsWith("\n(cut)")).toBe(true);
});
