/** The kinds of leaking and of clean texts that can be made from any task. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "../../src/model/task.ts";

/** A text and what it is. */
export interface KindText {
  readonly kind: string;
  readonly text: string;
}

/** Texts that hold the oracle, or a part of it, in another form. */
export function leakingTexts(task: Task): KindText[] {
  const oracle = utf8(task.layers.hidden[0]?.sources[0]?.text ?? "");
  const functions = functionsOf(oracle);
  const main = functions.find((text) => /^int main\b/.test(text)) ?? "";
  const largest = functions.filter((text) => text !== main).sort((x, y) => y.length - x.length)[0] ?? main;
  const bare = withoutComments(oracle);
  const forms: [string, string][] = [
    ["the whole oracle pasted", oracle],
    ["one function of it", largest],
    ["its main only", main],
    ["identifiers renamed", renamed(oracle, task)],
    ["one function with identifiers renamed", renamed(largest, task)],
    ["reformatted onto one line", bare.replace(/^\s*#.*$/gm, "").replace(/\s+/g, " ")],
    ["another brace style", bare.replace(/ *\{\n/g, "\n{\n").replace(/^ +/gm, "\t")],
    ["comments added", bare.replace(/;\n/g, "; // next\n").replace(/\(/g, "( /* here */ ")],
    ["comments stripped", bare],
    ["a diff of the oracle", `--- /dev/null\n+++ b/t.cpp\n${oracle.replace(/^/gm, "+")}`],
    ["a diff that takes it away", oracle.replace(/^/gm, "-")],
    ["base64", wrapped(Buffer.from(oracle).toString("base64"), 76)],
    ["base64 of one function", Buffer.from(largest).toString("base64")],
    ["base64 with letters for the web", Buffer.from(largest).toString("base64url")],
    ["base64 of base64", Buffer.from(Buffer.from(largest).toString("base64")).toString("base64")],
    ["hexadecimal", wrapped(Buffer.from(largest).toString("hex"), 60)],
    ["JSON", JSON.stringify({ content: largest })],
    ["JSON in JSON", JSON.stringify(JSON.stringify({ content: largest }))],
    [
      "HTML",
      `<pre>${largest.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</pre>`,
    ],
    ["a form of the web", new URLSearchParams({ code: largest }).toString()],
    ["quoted in a mail", largest.replace(/^/gm, "> ")],
    ["a listing with line numbers", numbered(largest)],
    ["in a block comment", `/*\n${largest.replace(/^/gm, " * ")}\n */`],
    ["in line comments", largest.replace(/^/gm, "    // ")],
    ["in a comment of a script", largest.replace(/^/gm, "# ")],
    ["with line ends of another system", largest.replaceAll("\n", "\r\n")],
    ["with invisible characters", largest.replace(/(\w)(\w)/g, "$1\u200b$2")],
  ];
  return forms.map(([kind, text]) => ({ kind, text }));
}

/** Texts that anybody may have, and what a model may make of them. */
export function cleanTexts(task: Task, others: readonly Task[]): KindText[] {
  const prompt = utf8(task.prompt ?? "");
  const visible = utf8(task.layers.visible[0]?.sources[0]?.text ?? "");
  const headers = [...task.sources].filter(([path]) => /\.h/.test(path)).map(([, text]) => utf8(text));
  const sources = [...task.sources.values()].map(utf8);
  const patches = join(task.root, "patches");
  return [
    { kind: "the symptom alone", text: prompt.split(/\n(?=-|\n)/)[0] ?? "" },
    { kind: "symptom and visible test", text: `${prompt}\n\n${visible}` },
    { kind: "with the header", text: [prompt, visible, ...headers].join("\n\n") },
    { kind: "the whole legitimate prompt", text: [prompt, visible, ...sources].join("\n\n") },
    { kind: "the feedback after OVERFIT", text: JSON.stringify(task.manifest.hints) },
    ...readdirSync(patches).map((name) => ({
      kind: `the patch ${name}`,
      text: readFileSync(join(patches, name), "utf8"),
    })),
    ...others.map((other) => ({ kind: `the prompt of ${other.id}`, text: utf8(other.prompt ?? "") })),
    ...others.map((other) => ({
      kind: `the visible test of ${other.id}`,
      text: utf8(other.layers.visible[0]?.sources[0]?.text ?? ""),
    })),
  ];
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Definitions at the margin, from their first line to the brace that closes them there. */
function functionsOf(text: string): string[] {
  return [...text.matchAll(/^(?!namespace|struct|class|#|\/\/|\}|\s)[^\n]*\([^\n]*\{\n[\s\S]*?\n\}$/gm)].map(
    ([whole]) => whole,
  );
}

function withoutComments(text: string): string {
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "");
}

/** Every name that is not the language's, the library's or the task's own gets a new one. */
function renamed(text: string, task: Task): string {
  const shown = [
    ...task.sources.values(),
    ...task.layers.visible.flatMap(({ sources }) => sources.map((s) => s.text)),
  ];
  const known = new Set(shown.flatMap((other) => other.match(/[A-Za-z_]\w*/g) ?? []));
  const library = new Set(
    [
      ...text.matchAll(
        /std::(\w+)|#.*|\b(assert|template|typename|if|else|for|while|do|switch|case|try|catch|return|break|continue|struct|class|auto|bool|char|unsigned|int|void|const|constexpr|static_cast|volatile|alignas|sizeof|new|true|false|nullptr|decltype|static_assert|public|private|explicit|operator|using|namespace|double|float|long|default|static|inline|throw|enum|mutable|noexcept)\b/g,
      ),
    ].map((m) => m[1] ?? m[2]),
  );
  const names = new Map<string, string>();
  return text.replace(/(?<![\w"#])[A-Za-z_]\w*/g, (name) => {
    if (known.has(name) || library.has(name)) return name;
    names.set(name, names.get(name) ?? `v${names.size}x`);
    return names.get(name) ?? name;
  });
}

function wrapped(text: string, width: number): string {
  return text.replace(new RegExp(`.{${width}}`, "g"), "$&\n");
}

function numbered(text: string): string {
  return text
    .split("\n")
    .map((line, i) => `${String(i + 1).padStart(5)}\t${line}`)
    .join("\n");
}
