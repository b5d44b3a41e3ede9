import { expect, test } from "vitest";
import { inheritedFault, parseLimits } from "./inherited-limits.ts";

const text = (space: string, data = "unlimited            unlimited") => `\
Limit                     Soft Limit           Hard Limit           Units     
Max data size             ${data}            bytes     
Max processes             96365                96365                processes 
Max address space         ${space}            bytes     
Max nice priority         0                    0                    
`;

test("each line is a name with a soft and a hard limit", () => {
  expect(parseLimits(text("unlimited            unlimited"))).toEqual([
    { name: "Max data size", soft: Number.POSITIVE_INFINITY, hard: Number.POSITIVE_INFINITY },
    { name: "Max processes", soft: 96365, hard: 96365 },
    { name: "Max address space", soft: Number.POSITIVE_INFINITY, hard: Number.POSITIVE_INFINITY },
    { name: "Max nice priority", soft: 0, hard: 0 },
  ]);
});

test("no limit on memory is no fault", () => {
  expect(inheritedFault(text("unlimited            unlimited"))).toBeUndefined();
});

test("a limit on address space is the machine's fault, with the command that lifts it", () => {
  const fault = inheritedFault(text("4294967296           unlimited"));
  expect(fault?.exit).toBe(69);
  expect(fault?.message).toContain("address space is limited to 4096 MiB");
  expect(fault?.hint).toBe("run: ulimit -v unlimited");
});

test("where the hard limit holds as well, another shell is needed", () => {
  expect(inheritedFault(text("4294967296           4294967296"))?.hint).toContain("without that limit");
});

test("a limit on the data segment counts as well", () => {
  const none = "unlimited            unlimited";
  expect(inheritedFault(text(none, "4294967296           unlimited"))?.hint).toBe("run: ulimit -d unlimited");
});
