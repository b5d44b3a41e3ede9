/** A profile as a file, so that whoever scans need not hold the oracle. */
import * as z from "zod/mini";
import { GraderError } from "../../model/errors.ts";
import type { Task } from "../../model/task.ts";
import { buildProfile } from "./build-profile.ts";
import { Starts } from "./hash.ts";
import { oracleTexts, publicTexts } from "./oracle-texts.ts";
import type { Phrase, Profile, Weight } from "./profile.ts";
import { type LeakScanner, scannerOf } from "./scanner.ts";

/** Hashes are of 48 bits: six bytes each, in ascending order so that their order tells nothing, as base64. */
const packed = z.string().check(z.regex(/^(?:[A-Za-z0-9+/]{8})*$/));
const byNumber = z.record(z.string().check(z.regex(/^\d{1,4}$/)), packed);
const word = z.int().check(z.minimum(-(2 ** 31)), z.maximum(2 ** 31 - 1));

/** 2,048 bytes in base64. */
const starts64 = 2732;

const schema = z.strictObject({
  format: z.literal("hidden-oracle-fingerprints"),
  version: z.literal(1),
  task: z.string(),
  salt: z.tuple([word, word]),
  starts: z.string().check(z.length(starts64)),
  runs: packed,
  renamed: packed,
  grams: z.array(packed),
  phrases: z.array(z.strictObject({ length: z.int(), weight: z.literal([0, 1, 2]), hashes: packed })),
  operands: byNumber,
  numbers: packed,
  lists: byNumber,
  names: byNumber,
  words: packed,
  places: byNumber,
  canaries: packed,
});

/** The fingerprints of a task's oracle as JSON text, under a new salt. */
export function exportFingerprints(task: Task): string {
  const profile = buildProfile(oracleTexts(task), publicTexts(task));
  const file: z.infer<typeof schema> = {
    format: "hidden-oracle-fingerprints",
    version: 1,
    task: profile.task,
    salt: [profile.salt.a, profile.salt.b],
    starts: Buffer.from(profile.starts.bits).toString("base64"),
    runs: pack(profile.runs),
    renamed: pack(profile.renamed),
    grams: Object.values(grouped(profile.grams)).sort(),
    phrases: packPhrases(profile.phrases),
    operands: grouped(profile.operands),
    numbers: pack(profile.numbers),
    lists: grouped(profile.lists),
    names: grouped(profile.names),
    words: pack(profile.words),
    places: grouped(profile.places),
    canaries: pack(profile.canaries),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

/**
 * A scanner from the text of an export.
 *
 * @param name how messages call the file
 * @throws GraderError 66 when it is no export, or one of another version.
 */
export function readFingerprints(text: string, name: string): LeakScanner {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unreadable(name, "not JSON", cause);
  }
  const read = schema.safeParse(value);
  if (!read.success) throw unreadable(name, issueOf(read.error.issues));
  return scannerOf(profileOf(read.data));
}

function profileOf(file: z.infer<typeof schema>): Profile {
  const phrases = file.phrases.flatMap(({ length, weight, hashes }) =>
    unpack(hashes).map((hash): [number, Phrase] => [hash, { length, weight }]),
  );
  return {
    salt: { a: file.salt[0], b: file.salt[1] },
    task: file.task,
    starts: new Starts(Buffer.from(file.starts, "base64")),
    runs: new Set(unpack(file.runs)),
    renamed: new Set(unpack(file.renamed)),
    grams: new Map(file.grams.flatMap((group, i) => unpack(group).map((hash) => [hash, i] as const))),
    phrases: new Map(phrases),
    operands: ungrouped(file.operands) as Map<number, Weight>,
    numbers: new Set(unpack(file.numbers)),
    lists: ungrouped(file.lists),
    names: ungrouped(file.names) as Map<number, Weight>,
    words: new Set(unpack(file.words)),
    places: ungrouped(file.places) as Map<number, Weight>,
    canaries: new Set(unpack(file.canaries)),
  };
}

function unreadable(name: string, what: string, cause?: unknown): GraderError {
  return new GraderError(66, `not a file of fingerprints · ${name}: ${what}`, {
    hint: "write one with `hidden-oracle leaks --export FILE`, by the same version of the program",
    cause,
  });
}

function issueOf(issues: readonly z.core.$ZodIssue[]): string {
  const [issue] = issues;
  return `${issue?.path.join(".") || "top level"}: ${issue?.message ?? "wrong form"}`;
}

function pack(hashes: Iterable<number>): string {
  const sorted = [...hashes].sort((x, y) => x - y);
  const bytes = Buffer.alloc(6 * sorted.length);
  for (const [i, hash] of sorted.entries()) bytes.writeUIntBE(hash, 6 * i, 6);
  return bytes.toString("base64");
}

function unpack(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length / 6 }, (_, i) => bytes.readUIntBE(6 * i, 6));
}

function grouped(hashes: ReadonlyMap<number, number>): Record<string, string> {
  const groups = new Map<number, number[]>();
  for (const [hash, value] of hashes) groups.set(value, [...(groups.get(value) ?? []), hash]);
  return Object.fromEntries([...groups].sort(([x], [y]) => x - y).map(([value, own]) => [value, pack(own)]));
}

function ungrouped(groups: Readonly<Record<string, string>>): Map<number, number> {
  return new Map(
    Object.entries(groups).flatMap(([value, own]) =>
      unpack(own).map((hash) => [hash, Number(value)] as const),
    ),
  );
}

function packPhrases(phrases: Profile["phrases"]): z.infer<typeof schema>["phrases"] {
  const groups = new Map<string, { phrase: Phrase; hashes: number[] }>();
  for (const [hash, phrase] of phrases) {
    const key = `${phrase.length}/${phrase.weight}`;
    const group = groups.get(key) ?? { phrase, hashes: [] };
    group.hashes.push(hash);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ phrase, hashes }) => ({ ...phrase, hashes: pack(hashes) }));
}
