/** Compiler and linker flags of a manifest: which are refused and why, and include folders told apart. */

/** A refused flag: its place in the list, and the reason. */
export interface FlagFault {
  readonly index: number;
  readonly reason: string;
  readonly hint?: string;
}

interface Refusal {
  readonly pattern: RegExp;
  readonly reason: string;
}

// Order matters: the first that matches gives the reason.
const refusals: readonly Refusal[] = [
  { pattern: /^@/, reason: "reads further flags from a file" },
  {
    pattern:
      /^(-fplugin|-fpass-plugin|-iplugindir|-Xclang$|-Xpreprocessor$|-Xassembler$|-Xlinker$|-W[pa],|-load)/,
    reason: "hands options on to a plugin or tool that this check can't see",
  },
  {
    pattern:
      /^-?-specs|^--config|^-wrapper|^-B|^-?-sysroot|^-isysroot|^-iprefix|^-?-gcc-toolchain|^-resource-dir|^-fuse-ld=.*\//,
    reason: "replaces parts of the compiler",
  },
  { pattern: /^(-o|--output)/, reason: "names an output file; the harness chooses it" },
  { pattern: /^(-x|--language)/, reason: "sets the language; units are C++" },
  {
    pattern:
      /^(-c|-S|-E|-fsyntax-only|-###|-r|-emit-llvm|--(compile|assemble|preprocess|help|version|analyze).*|-print-.*|-dump(version|machine|specs))$/,
    reason: "sets the stage at which the compiler stops; the harness does that",
  },
  { pattern: /^(-M|-d[A-Z]|-v$|-H$)/, reason: "prints or writes what the preprocessor sees" },
  {
    pattern:
      /^-?-save-temps|^-dump(dir|base)|^-fdump|^-ftime-(report|trace)|^-time|^-fstack-usage|^-fcallgraph|^-aux-info|^-fsave-opt|^-fopt-info|^-gsplit-dwarf|^-foptimization-record|^-fdiagnostics-format=.*file/,
    reason: "writes files beside the objects",
  },
  {
    pattern:
      /^(-fprofile|-fauto-profile|-fbranch-prob|-ftest-coverage|-?-coverage|-p$|-pg$|-fcs-profile|-fdeps)/,
    reason: "reads or writes a profile or a list of dependencies",
  },
  {
    pattern:
      /^-fsanitize-(blacklist|ignorelist|system-ignorelist|coverage-.*list)=|^-f(module-map-)?module.*file|^-include-pch|^-fmodule-mapper/,
    reason: "names a file to read",
  },
  { pattern: /^--(?!(param|std)(=|$))/, reason: "is a long spelling that this check doesn't know" },
  { pattern: /^-fsanitize=all$/, reason: "names sanitizers that can't be combined" },
];

/** Flags whose value may be the next entry. */
const takesNext =
  /^(-[DUILl]|-isystem|-iquote|-idirafter|-include|-imacros|-mllvm|--param|-arch|-target|-z|-u|-T)$/;
const includeFlag = /^(-I|-isystem|-iquote|-idirafter)(.*)$/s;

/** Faults of `cxxflags`, one for each refused entry. */
export function cxxflagFaults(flags: readonly string[]): FlagFault[] {
  return entries(flags).flatMap(({ index, flag, value }) => {
    const fault = (reason: string, hint?: string) => [
      { index, reason, ...(hint === undefined ? {} : { hint }) },
    ];
    const odd = oddFlag(flag, value);
    if (odd !== undefined) return fault(odd.reason, odd.hint);
    const folder = includeFolder(flag, value);
    const why = folder === undefined ? undefined : folderFault(folder);
    if (why !== undefined)
      return fault(`adds an include folder that ${why}`, 'list headers of the task in "include"');
    const file = /^-(include|imacros)(.*)$/s.exec(flag);
    const outside = file === null ? undefined : folderFault(file[2] || (value ?? ""));
    if (outside !== undefined) return fault(`includes a file that ${outside}`);
    const link = linkFault(flag, value);
    return link === undefined ? [] : fault(link);
  });
}

/** Faults of `ldflags`. Libraries come by `-l`, `-L` inside the task, `-pthread`, `-static…` and `-Wl,`. */
export function ldflagFaults(flags: readonly string[]): FlagFault[] {
  return entries(flags).flatMap(({ index, flag, value }) => {
    const odd = oddFlag(flag, value);
    if (odd !== undefined) return [{ index, ...odd }];
    const link = linkFault(flag, value);
    return link === undefined ? [] : [{ index, reason: link }];
  });
}

/** Flags told apart: those of the compiler, the folders that `-I` and its kin name, and those of the linker. */
export function sortFlags(flags: readonly string[]): {
  readonly cxxflags: string[];
  readonly include: string[];
  readonly ldflags: string[];
} {
  const sorted = { cxxflags: [] as string[], include: [] as string[], ldflags: [] as string[] };
  for (const { flag, value } of entries(flags)) {
    const whole = value === undefined ? [flag] : [flag, value];
    const folder = includeFolder(flag, value);
    if (folder !== undefined) sorted.include.push(folder);
    else if (/^-([lLTzu]|Wl,)/.test(flag)) sorted.ldflags.push(...whole);
    else sorted.cxxflags.push(...whole);
    if (flag === "-pthread") sorted.ldflags.push(flag);
  }
  return sorted;
}

interface Entry {
  readonly index: number;
  readonly flag: string;
  readonly value: string | undefined;
}

/** Flags, each with its value where that stands in the next entry. */
function entries(flags: readonly string[]): Entry[] {
  const list: Entry[] = [];
  for (let index = 0; index < flags.length; index += 1) {
    const flag = flags[index] ?? "";
    const value = takesNext.test(flag) ? flags[index + 1] : undefined;
    list.push({ index, flag, value });
    if (value !== undefined) index += 1;
  }
  return list;
}

function oddFlag(flag: string, value: string | undefined): Omit<FlagFault, "index"> | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(flag + (value ?? ""))) return { reason: "holds a control character" };
  const refusal = refusals.find(({ pattern }) => pattern.test(flag));
  if (refusal !== undefined) return { reason: refusal.reason };
  if (!flag.startsWith("-") || flag === "-")
    return { reason: "is no flag; files are named by sources, visible and hidden" };
  if (/\s-/.test(flag) && !flag.startsWith("-D"))
    return { reason: "holds several flags", hint: "write one flag an entry" };
  if (takesNext.test(flag) && value === undefined) return { reason: "lacks its value" };
  return undefined;
}

// Linker options that make it read or write a file of the author's choice.
const linkFiles =
  /^-T|^-Wl,.*(@|-T|-R|-Map|,-o\b|--?(version-script|dynamic-list|plugin|just-symbols|script|output|retain-symbols-file))/;

function linkFault(flag: string, value: string | undefined): string | undefined {
  if (linkFiles.test(flag)) return "makes the linker read or write a file";
  const folder = flag.startsWith("-L") ? folderFault(flag.slice(2) || (value ?? "")) : undefined;
  return folder === undefined ? undefined : `adds a library folder that ${folder}`;
}

function includeFolder(flag: string, value: string | undefined): string | undefined {
  const match = includeFlag.exec(flag);
  return match === null ? undefined : match[2] || (value ?? "");
}

function folderFault(path: string): string | undefined {
  if (path.startsWith("/") || path.startsWith("=") || /^[A-Za-z]:/.test(path)) return "is absolute";
  if (path.includes("\\")) return "holds a backslash";
  return path.split("/").includes("..") ? "lies outside the task folder" : undefined;
}
