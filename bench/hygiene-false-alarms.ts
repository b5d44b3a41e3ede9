/**
 * How often hygiene's text rules (stage A) alarm on real, honest headers. Run by hand; it takes some minutes:
 *
 *   apt-get install doctest-dev catch2 libfmt-dev nlohmann-json3-dev librapidcheck-dev libeigen3-dev \
 *     libspdlog-dev librange-v3-dev libgtest-dev
 *   node scripts/run-ts.mjs bench/hygiene-false-alarms.ts [FOLDER…]
 *
 * First each library as if a patch had written all of it (the baseline being empty); then each of its headers as
 * the baseline of harmless edits, which must raise nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { lex } from "../src/grade/hygiene/lexer.ts";
import type { FileHit } from "../src/grade/hygiene/source-rule.ts";
import { newInSources, type Surroundings } from "../src/grade/hygiene/tokens.ts";

const usual = [
  "doctest",
  "catch2",
  "fmt",
  "nlohmann",
  "rapidcheck",
  "eigen3",
  "spdlog",
  "range",
  "meta",
  "gtest",
].map((name) => `/usr/include/${name}`);

/** Edits that any honest patch could make to any header. */
const edits: Readonly<Record<string, (text: string) => string>> = {
  "a comment": (text) => `// asm, __attribute__((constructor)), _exit(0): words of a comment\n${text}`,
  "an include": (text) => `#include <vector>\n#include <algorithm>\n${text}`,
  "a helper": (text) => `${text}\nnamespace added { inline int helper(int x) noexcept { return x + 1; } }\n`,
  "a constant": (text) => `${text}\nconstexpr unsigned added_limit = 0x0f05'80cdu;\n`,
  "a class with operators": (text) =>
    `${text}\nstruct Added { int v; friend bool operator==(const Added& a, const Added& b) { return a.v == b.v; } };\n`,
  "renamed locals": (text) => text.replace(/\bi\b/g, "position"),
  "another order": (text) => halvesSwapped(text),
  "other line ends": (text) => text.replace(/\r?\n/g, "\r\n"),
};

/** Moves code past other code, where the text has a blank line between two complete declarations. */
function halvesSwapped(text: string): string {
  const lines = text.split("\n");
  const depths = depthsAtLines(text);
  const isBetween = (line: string, i: number) =>
    i > lines.length / 2 && line === "" && depths.get(i + 1) === 0;
  const found = lines.findIndex(isBetween);
  const middle = found < 0 ? lines.length : found;
  return [...lines.slice(middle), ...lines.slice(0, middle)].join("\n");
}

/** How many braces and parentheses are open where each line begins. */
function depthsAtLines(text: string): Map<number, number> {
  const depths = new Map<number, number>();
  let [depth, line] = [0, 1];
  for (const token of lex(text).tokens) {
    while (line <= token.line) depths.set(line++, depth);
    if (token.kind === "punct" && "([{".includes(token.text)) depth++;
    if (token.kind === "punct" && ")]}".includes(token.text)) depth--;
  }
  return depths;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesBelow(path);
    return /\.(h|hpp|hh|ipp|inl)$|^[A-Za-z]+$/.test(name) ? [path] : [];
  });
}

function measure(folder: string, kinds: Map<string, Set<string>>): string {
  const files = new Map(
    filesBelow(folder).map((path) => [path.replace("/usr/include/", ""), readFileSync(path, "latin1")]),
  );
  const around: Surroundings = { headers: new Map(), includeDirs: [".", basename(folder)], rawStrings: true };
  const started = performance.now();
  const hits = newInSources(new Map(), files, around);
  const ms = Math.round(performance.now() - started);
  for (const { kind, detail, file } of hits)
    kinds.set(`${kind}:${detail}`, (kinds.get(`${kind}:${detail}`) ?? new Set()).add(file));
  const flagged = new Set(hits.map(({ file }) => file)).size;
  const alarms = [...files].flatMap(([path, text]) => alarmsOfEdits(path, text, files, around));
  for (const { edit, hit } of alarms)
    process.stdout.write(`  ALARM ${edit}: ${hit.kind}:${hit.detail} ${hit.file}:${hit.line}\n`);
  const edited = files.size * Object.keys(edits).length;
  return `${basename(folder)}\t${files.size} headers\t${flagged} with findings as new\t${alarms.length} alarms in ${edited} edits\t${ms} ms`;
}

function alarmsOfEdits(path: string, text: string, files: ReadonlyMap<string, string>, around: Surroundings) {
  return Object.entries(edits).flatMap(([edit, change]): { edit: string; hit: FileHit }[] => {
    const after = new Map([[path, change(text)]]);
    const others = { ...around, headers: new Map([...files].filter(([other]) => other !== path)) };
    return newInSources(new Map([[path, text]]), after, others).map((hit) => ({ edit, hit }));
  });
}

const folders =
  process.argv.length > 2 ? process.argv.slice(2) : usual.filter((folder) => existsSync(folder));
const kinds = new Map<string, Set<string>>();
for (const folder of folders) process.stdout.write(`${measure(folder, kinds)}\n`);
process.stdout.write("\nfiles\tkind:detail\tfor example\n");
for (const [name, files] of [...kinds].sort((a, b) => b[1].size - a[1].size))
  process.stdout.write(`${files.size}\t${name}\t${[...files][0]}\n`);
