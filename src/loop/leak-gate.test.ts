import { expect, test } from "vitest";
import type { Message } from "../model/brief.ts";
import { holdsOracle, leakOf, type Scan } from "./leak-gate.ts";

const secret = /push\s*\(\s*7531\s*\)/;
const scan: Scan = (text) =>
  text
    .split("\n")
    .flatMap((line, at) => (secret.test(line) ? [{ where: `line ${at + 1}`, sure: true }] : []));

const brief: Message[] = [
  { role: "system", content: "Repair it." },
  { role: "user", content: "It loses jobs." },
];
const talk = (answer: string, feedback: string, first = brief) => ({
  messages: [
    ...first,
    { role: "assistant", content: answer },
    { role: "user", content: feedback },
  ] as Message[],
  brief: first.length,
  patch: null,
});

test("feedback that repeats an answer's oracle text is the model's own", () => {
  expect(leakOf(talk("#error push(7531)", "a.cpp:1: #error\npush( 7531 )"), scan)).toEqual({
    sure: ["message 3 (assistant), line 1", "message 4 (user), line 2"],
    doubtful: [],
    isOwn: true,
  });
});

test("feedback with oracle text that no answer holds is not the model's own", () => {
  expect(leakOf(talk("push( 1 ) and 7531", "push(7531)"), scan).isOwn).toBe(false);
});

test("a brief with oracle text is not the model's own, though its answer repeats it", () => {
  const leaking: Message[] = [{ role: "user", content: "push(7531)" }];
  expect(leakOf(talk("push(7531)", "no", leaking), scan)).toMatchObject({
    sure: ["message 1 (user), line 1", "message 2 (assistant), line 1"],
    isOwn: false,
  });
});

test("a patch that goes out by itself is scanned, and feedback that repeats it is the agent's own", () => {
  const outgoing = { ...talk("done", "saw push(7531)"), patch: "+push(7531)" };
  expect(leakOf(outgoing, scan)).toMatchObject({
    sure: ["message 4 (user), line 1", "the last patch, line 1"],
    isOwn: true,
  });
});

test("a doubtful place is told apart and is no leak of an answer", () => {
  const unsure: Scan = (text) => scan(text).map((hit) => ({ ...hit, sure: false }));
  expect(leakOf(talk("push(7531)", "no"), unsure)).toMatchObject({
    sure: [],
    doubtful: ["message 3 (assistant), line 1"],
  });
  expect([holdsOracle(["push(7531)"], unsure), holdsOracle(["", "push(7531)"], scan)]).toEqual([false, true]);
});
