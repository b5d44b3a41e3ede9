import { describe, expect, test } from "vitest";
import { decodeProof, decodeStatus, encodeLaunchConfig, proofLength } from "./launch-config.ts";
import { siphash } from "./siphash.ts";

const key = Buffer.from("0123456789abcdef");

function completion(result: number, leaks: number, signedWith = key): Buffer {
  const record = Buffer.alloc(33);
  record.write("D", 0);
  record.writeInt32LE(result, 1);
  record.writeInt32LE(leaks, 5);
  record.writeBigUInt64LE(12n, 9);
  record.writeBigUInt64LE(99n, 17);
  record.writeBigUInt64LE(siphash(signedWith, record.subarray(0, 25)), 25);
  return record;
}

function ended(reason: number, wait: number): Buffer {
  const record = Buffer.alloc(28);
  record.write("SX", 0);
  record[2] = reason;
  record.writeInt32LE(wait, 3);
  record.writeBigUInt64LE(1500n, 7);
  record.writeBigUInt64LE(2048n, 15);
  record.writeUInt32LE(1, 23);
  return record.subarray(0, 27);
}

describe("the proof", () => {
  test("a completion under this run's key is one", () => {
    expect(decodeProof(completion(0, 0), key)).toEqual({
      kind: "completed",
      result: 0,
      leaks: false,
      checks: 12n,
      chain: 99n,
    });
  });
  test("a completion under another key is none", () => {
    expect(decodeProof(completion(0, 0, Buffer.from("another key here")), key)).toEqual({ kind: "none" });
  });
  test("a completion with a byte changed, missing or added is none", () => {
    const good = completion(0, 0);
    for (let at = 1; at < good.length; at++) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 1;
      expect(decodeProof(bad, key).kind).toBe("none");
    }
    expect(decodeProof(good.subarray(0, 32), key).kind).toBe("none");
    expect(decodeProof(Buffer.concat([good, Buffer.from("x")]), key).kind).toBe("none");
  });
  test("a completion after a failed check does not undo it", () => {
    const failed = Buffer.from([0x46, 0, 7, 0, 0, 0]);
    const both = Buffer.concat([failed, completion(0, 0)]);
    expect(decodeProof(both, key)).toEqual({ kind: "check-failed", line: 7, foreign: false });
  });
  test("nobody looking for leaks is not the same as no leak", () => {
    expect(decodeProof(completion(0, -1), key)).toMatchObject({ leaks: null });
  });
  test("a load failure, or a gate that failed, without the MAC is none: a candidate may have written it", () => {
    const signed = (bytes: Buffer) => {
      const mac = Buffer.alloc(8);
      mac.writeBigUInt64LE(siphash(key, bytes));
      return Buffer.concat([bytes, mac]);
    };
    const failure = Buffer.from("L\u0004\0oops");
    expect(decodeProof(signed(failure), key)).toEqual({ kind: "load-failed", message: "oops" });
    expect(decodeProof(signed(Buffer.from("G")), key)).toEqual({ kind: "gate-failed" });
    const forged = [failure, Buffer.from("G"), Buffer.concat([failure, Buffer.alloc(8)])];
    for (const bytes of forged) expect(decodeProof(bytes, key)).toEqual({ kind: "none" });
  });
  test("silence and nonsense are none", () => {
    expect(decodeProof(Buffer.alloc(0), key)).toEqual({ kind: "none" });
    expect(decodeProof(Buffer.from("PASS\n"), key)).toEqual({ kind: "none" });
  });
});

describe("the status", () => {
  test("without its first word nothing has started", () => {
    expect(decodeStatus(Buffer.alloc(0))).toEqual({ started: false, end: null });
  });
  test("a supervisor that never came to its end is told from one that did", () => {
    expect(decodeStatus(Buffer.from("S"))).toEqual({ started: true, end: null });
    expect(decodeStatus(ended(0, 0)).end).toMatchObject({ reason: "itself", exitCode: 0, cpuMs: 1.5 });
  });
  test("signals and exit statuses are told apart", () => {
    expect(decodeStatus(ended(0, 6)).end).toMatchObject({ signal: 6, exitCode: null });
    expect(decodeStatus(ended(1, 9)).end).toMatchObject({ reason: "memory", signal: 9 });
    expect(decodeStatus(ended(0, 77 << 8)).end).toMatchObject({ signal: null, exitCode: 77 });
  });
});

test("the launcher's struct has its fields where the launcher reads them", () => {
  const bytes = encodeLaunchConfig({
    key,
    entry: "t1",
    args: ["-x", "é"],
    memoryBytes: 2 ** 31,
    fileBytes: 5,
    cpuSeconds: 10,
    wallMs: 60_000,
    processes: 32,
    checkLeaks: true,
  });
  expect(bytes.subarray(0, 16)).toEqual(key);
  expect(bytes.readBigUInt64LE(16)).toBe(2n ** 31n);
  expect([0, 1, 2, 3, 4, 5, 6].map((i) => bytes.readUInt32LE(32 + i * 4))).toEqual([
    10, 60_000, 32, 1, 2, 6, 0,
  ]);
  expect(bytes.subarray(60).toString()).toBe("t1-x\0é\0");
});

test("the length of a record on the proof descriptor is told from its beginning, so that many can follow each other", () => {
  const failed = Buffer.from([0x46, 0, 7, 0, 0, 0]);
  const both = Buffer.concat([completion(0, 0), failed]);
  expect(proofLength(both)).toBe(33);
  expect(proofLength(both.subarray(33))).toBe(6);
  expect(proofLength(Buffer.from("N1234"))).toBe(0);
  expect(proofLength(Buffer.alloc(0))).toBe(0);
});
