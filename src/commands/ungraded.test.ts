import { expect, test } from "vitest";
import { GraderError } from "../model/errors.ts";
import { recordSchema } from "../model/record.ts";
import { hasRecord, ungradedRecord } from "./ungraded.ts";

test("a record can be made of any fault, even before a task was loaded", () => {
  const location = { file: "manifest.json", line: 1, column: 2 };
  const record = ungradedRecord(new GraderError(65, "not valid", { location, hint: "mend it" }), {});
  expect(recordSchema.parse(record)).toEqual(record);
  expect(record.verdict).toBeNull();
  expect(record.error).toEqual({ exit: 65, message: "manifest.json:1:2: not valid", hint: "mend it" });
});

test("faults of the command line, of the input and interruptions have no record", () => {
  expect([64, 65, 66, 69, 70, 75, 130, 143].filter(hasRecord)).toEqual([65, 69, 70, 75]);
});
