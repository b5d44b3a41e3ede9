/** From a schema's complaints to faults that a person can mend: key, value, what is expected, where. */
import { distance } from "fastest-levenshtein";
import type { JSONPath } from "jsonc-parser";
import type * as z from "zod/v4/core";
import type { Fault } from "./manifest-fault.ts";
import { defaultLimits } from "./manifest-schema.ts";
import type { ManifestSource } from "./manifest-source.ts";

/** A path into the manifest as people write it: `visible[0].source`. */
export function keyName(path: JSONPath): string {
  const steps = path.map((step) =>
    typeof step === "string" && /^[\w$]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return steps.join("").replace(/^\./, "");
}

/** A value as it stands in the file, cut short. */
export function shown(value: unknown): string {
  if (typeof value === "number") return String(value);
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Translates what the schema found into faults. */
export function schemaFaults(
  schema: z.$ZodType,
  issues: readonly z.$ZodIssue[],
  source: ManifestSource,
): Fault[] {
  return issues
    .flatMap((issue) => flatten(issue, []))
    .flatMap(({ issue, path }) => faultsOf(schema, issue, path, source));
}

interface Placed {
  readonly issue: z.$ZodIssue;
  readonly path: JSONPath;
}

/** A union complains for each arm; the arm that the author meant is the one whose outer type fits. */
function flatten(issue: z.$ZodIssue, base: JSONPath): Placed[] {
  const path = [...base, ...(issue.path as JSONPath)];
  if (issue.code !== "invalid_union") return [{ issue, path }];
  const fitting = issue.errors.filter(
    (arm) => !arm.some((inner) => inner.path.length === 0 && isOuter(inner)),
  );
  const meant = fitting.sort((a, b) => a.length - b.length)[0];
  return meant === undefined ? [{ issue, path }] : meant.flatMap((inner) => flatten(inner, path));
}

function isOuter(issue: z.$ZodIssue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_value" || issue.code === "invalid_union";
}

function faultsOf(schema: z.$ZodType, issue: z.$ZodIssue, path: JSONPath, source: ManifestSource): Fault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      message: `unknown key ${JSON.stringify(path.length === 0 ? key : keyName([...path, key]))}`,
      hint: nearestKey(schema, path, key),
      location: source.locate([...path, key], "key"),
    }));
  }
  const value = valueAt(source.value, path);
  const key = path.length === 0 ? "the manifest" : keyName(path);
  const location = source.locate(path);
  if (value === undefined)
    return [{ message: `${key} is missing · it must be ${expected(issue)}`, location }];
  const isEmpty = issue.code === "too_small" && (issue.origin === "string" || issue.origin === "array");
  return [
    {
      message: `${key} must ${isEmpty ? "not be empty" : `be ${expected(issue)}`} · got ${shown(value)}`,
      location,
    },
  ];
}

function valueAt(value: unknown, path: JSONPath): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], value);
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text in double quotes",
  array: "a list",
  object: "an object",
  record: "an object",
  boolean: "true or false",
  number: "a finite number",
  int: "a whole number",
};

function expected(issue: z.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeWords[issue.expected] ?? issue.expected;
    case "invalid_value":
      return oneOf(issue.values.map(shown));
    case "invalid_union":
      if (issue.discriminator !== undefined && "options" in issue)
        return oneOf((issue.options as unknown[]).map(shown));
      return alternatives(issue.errors.flatMap((arm) => arm.slice(0, 1).map(expected)));
    case "too_small":
      return issue.inclusive ? `at least ${issue.minimum}` : `more than ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    case "invalid_format":
      return "made of A-Z a-z 0-9 . _ - only, and begin with none of . and -";
    default:
      return issue.message;
  }
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
}

function alternatives(words: readonly string[]): string {
  return [...new Set(words)].join(" or ");
}

function nearestKey(schema: z.$ZodType, path: JSONPath, key: string): string {
  const known = keysAt(schema, path);
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");
  const ranked = known
    .map((name) => ({ name, apart: distance(plain(key), plain(name)) }))
    .sort((a, b) => a.apart - b.apart);
  const best = ranked[0];
  const close = best !== undefined && best.apart <= Math.max(2, Math.floor(best.name.length * 0.4));
  if (!close && Object.hasOwn(defaultLimits, key)) return `${JSON.stringify(key)} belongs in "limits"`;
  return close ? `did you mean ${JSON.stringify(best.name)}?` : `known keys here: ${known.join(", ")}`;
}

/** The keys that the schema knows where `path` leads. */
function keysAt(schema: z.$ZodType, path: JSONPath): string[] {
  const { def } = (schema as z.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
      return keysAt(def.innerType, path);
    case "union":
      return [...new Set(def.options.flatMap((option) => keysAt(option, path)))];
    case "array":
      return typeof path[0] === "number" ? keysAt(def.element, path.slice(1)) : [];
    case "record":
      return path.length === 0 ? keysOfRecord(def.keyType) : keysAt(def.valueType, path.slice(1));
    case "object": {
      const inner = path.length === 0 ? undefined : def.shape[String(path[0])];
      if (path.length === 0) return Object.keys(def.shape);
      return inner === undefined ? [] : keysAt(inner, path.slice(1));
    }
    default:
      return [];
  }
}

function keysOfRecord(keyType: z.$ZodType): string[] {
  const { def } = (keyType as z.$ZodTypes)._zod;
  return def.type === "enum" ? Object.values(def.entries).map(String) : [];
}
