import { describe, expect, test } from "vitest";
import { bestToken, needsRepair, settledEnd, tokenOfRun } from "./run-end.ts";
import { endReasons, type RecordLine } from "./transcript.ts";
import { tokens } from "./verdict.ts";

const judged = (verdict: string | null) => ({ kind: "record", record: { verdict } }) as unknown as RecordLine;
const ended = (reason: string, token: string) =>
  ({ kind: "end", at: "", reason, token }) as unknown as RecordLine;

describe("the token of a run", () => {
  test("is that of the best candidate where a budget ended it", () => {
    expect(tokenOfRun([judged("REJECTED"), judged("OVERFIT"), judged("FAIL_BOTH")], 3, "attempts")).toBe(
      "OVERFIT",
    );
    expect(tokenOfRun([judged("REJECTED"), judged("FAIL_BOTH")], 2, "query-budget")).toBe("FAIL_BOTH");
    expect(tokenOfRun([], 2, "token-budget")).toBe("REJECTED");
  });

  test("is OVERFIT where the reserve failed what the hidden layer passed", () => {
    expect(tokenOfRun([judged("PASS"), judged("OVERFIT")], 1, "reserve")).toBe("OVERFIT");
  });

  test("is FAIL_VISIBLE where one candidate failed the shown tests only, whatever others came to", () => {
    expect(needsRepair([judged("OVERFIT"), judged("FAIL_VISIBLE")])).toBe(true);
    expect(tokenOfRun([judged("FAIL_VISIBLE")], 1, "repair-the-oracle")).toBe("FAIL_VISIBLE");
    expect(bestToken([...tokens])).toBe("FAIL_VISIBLE");
  });

  test("is none where nothing was judged", () => {
    expect(() => tokenOfRun([], 0, "time-budget")).toThrow(expect.objectContaining({ exit: 75 }));
    expect(bestToken([null])).toBeUndefined();
  });
});

test("only a pass, a failed reserve and a broken oracle end a run for good", () => {
  const forGood = endReasons.filter((reason) => settledEnd([ended(reason, "OVERFIT")]) !== undefined);
  expect(forGood).toEqual(["pass", "reserve", "repair-the-oracle"]);
});
