/** Includes that leave the tree or reach for the machine, and macros that take names which aren't the candidate's. */
import { dirname, join } from "node:path/posix";
import type { Directive, Token } from "./lexer.ts";
import { featureMacros, keywords, libraryNames, polyfilled, steering } from "./names.ts";
import {
  type Hit,
  isSign,
  macroName,
  type Rule,
  type SourceFile,
  tokenRuns,
  type World,
} from "./source-rule.ts";

/** Headers whose purpose is to look at or change the process, its image, its signals or other processes. */
const machinery =
  /^(dlfcn|link|elf|libelf|gelf|execinfo|ucontext|setjmp|signal|spawn|syscall|unwind|cxxabi_forced|sanitizer\/.*|linux\/.*|asm\/.*|asm-generic\/.*|bits\/.*|sys\/(mman|ptrace|syscall|prctl|auxv|ucontext|wait|signal|signalfd|user|reg|procfs|personality|resource|socket|un|uio|ioctl|inotify|epoll|eventfd|timerfd|mount|shm|sem|msg|ipc|sendfile|random)|netinet\/.*|arpa\/.*|net\/.*|netdb|pty|utmp|valgrind\/.*|gnu\/.*|\w*intrin)(\.h)?$|^(csignal|csetjmp)$/;

/** Honest uses of these are common; what they lead to is judged by symbol. */
const tolerated = new Set(["sys/random.h", "bits/stdc++.h"]);

export const includeRule: Rule = (file, world) =>
  file.directives.flatMap((d) =>
    /^(include|include_next|import|embed)$/.test(d.name) ? judgeInclude(d, file, world) : [],
  );

function judgeInclude(directive: Directive, file: SourceFile, world: World): Hit[] {
  const { line, name, tokens } = directive;
  const hit = (kind: string, detail: string, message: string): Hit[] => [{ kind, detail, message, line }];
  if (name === "embed") return hit("include", "#embed", "puts a file's bytes into the program");
  if (name === "include_next") return hit("include", "#include_next", "skips the first file of a name");
  const header = tokens[0];
  if (header?.kind !== "header")
    return hit("include", "macro", "the name of an included file comes from a macro");
  return judgeName(header, file, world).map((h) => ({ ...h, line }));
}

function judgeName(header: Token, file: SourceFile, world: World): Hit[] {
  const name = header.text.slice(1, -1);
  const { line } = header;
  if (world.resolves(file.path, name)) return [];
  const leaves = name.startsWith("/") || name.split("/").includes("..") || name.includes("\\");
  const message = "leads out of the candidate's files";
  if (leaves) return [{ kind: "include", detail: name, message, line }];
  if (!machinery.test(name) || tolerated.has(name)) return [];
  const why = "this header gives access to the process, its image or the machine";
  return [{ kind: "header", detail: name, message: why, line }];
}

/** `__has_include` of anything but a system header asks what lies around the candidate. */
export const hasIncludeRule: Rule = (file, world) =>
  tokenRuns(file).flatMap((tokens) =>
    tokens.flatMap((token, i): Hit[] => {
      if (token.kind !== "word" || !/^__has_(include|include_next|embed)(__)?$/.test(token.text)) return [];
      if (!isSign(tokens[i + 1], "(")) return [];
      const name = tokens[i + 2];
      if (name?.kind === "header" && world.resolves(file.path, name.text.slice(1, -1))) return [];
      const isSystem = name?.kind === "header" && name.text.startsWith("<") && !/^<\/|\.\./.test(name.text);
      if (isSystem) return [];
      const detail = name?.kind === "header" ? name.text : "macro";
      return [
        {
          kind: "include",
          detail: `has ${detail}`,
          message: "asks which files lie around it",
          line: token.line,
        },
      ];
    }),
  );

/** `#line` and `# 1 "file"` give text another name and place. */
export const lineRule: Rule = (file) =>
  file.directives.flatMap((d): Hit[] => {
    if (file.expanded || (d.name !== "line" && !/^\d+$/.test(d.name))) return [];
    return [
      { kind: "line", detail: "#line", message: "gives the code another file name or line", line: d.line },
    ];
  });

/** `#define` and `#undef` of keywords, of names that tests rely on, and of names that steer compiler or library. */
export const macroRule: Rule = (file) => {
  const undone = lastUndefined(file);
  return file.directives.flatMap((d): Hit[] => {
    const name = macroName(d);
    const isShortLived = (undone.get(name ?? "") ?? 0) > d.line;
    if (name === undefined || isHarmless(name, d, file, isShortLived)) return [];
    const isKeyword = keywords.has(name);
    const what = isKeyword
      ? "a keyword"
      : libraryNames.has(name)
        ? "a name that tests rely on"
        : "a reserved name";
    return [{ kind: "macro", detail: name, message: `#${d.name} of ${what}`, line: d.line }];
  });
};

/** Where each macro is last undefined. What really survives is looked at after preprocessing. */
function lastUndefined(file: SourceFile): Map<string, number> {
  return new Map(file.directives.flatMap((d) => (d.name === "undef" ? [[macroName(d) ?? "", d.line]] : [])));
}

function isHarmless(name: string, directive: Directive, file: SourceFile, isShortLived: boolean): boolean {
  const isUndef = directive.name === "undef";
  if (name === "assert" || name === "NDEBUG" || name === "main") return isUndef && name === "NDEBUG";
  if (polyfilled.has(name)) return true;
  if (keywords.has(name)) return false;
  // In a unit such a macro changes the candidate's own meaning only.
  if (libraryNames.has(name)) return !file.reachesTests || isUndef || isShortLived;
  if (featureMacros.has(name)) return !isUndef;
  const isPolyfill = /^__has_\w+$/.test(name) && !isUndef && directive.tokens.at(-1)?.text === "0";
  return isPolyfill || !steering.test(name);
}

/** The file that a quoted or angled name leads to, among those of the tree. */
export function resolveInclude(
  from: string,
  name: string,
  includeDirs: readonly string[],
  exists: (path: string) => boolean,
): string | undefined {
  if (name.startsWith("/")) return undefined;
  return [dirname(from), ...includeDirs].map((folder) => join(folder, name)).find(exists);
}
