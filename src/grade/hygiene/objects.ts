/**
 * Stage C of hygiene: what the compiled candidate asks of others and offers to others that the baseline doesn't.
 * Pure: facts in, hits out. Names that macros or the compiler made are seen here as the linker sees them.
 */
import type { ElfFile, ElfSymbol } from "../elf.ts";
import { sectionIsCode } from "../elf.ts";
import { facilityOf, isHarmlessName } from "./c-library.ts";
import type { Hit } from "./source-rule.ts";

/** What is compared of one object. Names are sorted, each once. */
export interface ObjectFacts {
  readonly asked: readonly string[];
  readonly defined: readonly Definition[];
  readonly sections: readonly string[];
  /** Tags of the dynamic section that run or patch code unseen. */
  readonly dynamic: readonly string[];
  readonly hasIndirectRelocations: boolean;
  /** Bytes that might be a system call, wherever they begin; a disassembly decides. */
  readonly callBytes: number;
}

export interface Definition {
  readonly name: string;
  readonly binding: ElfSymbol["binding"];
  readonly type: ElfSymbol["type"];
}

const allocated = 2;
const relocations = { type: 4, indirect: [37, 1032] } as const;
const dynamicSection = 6;
const telling = new Map([
  [12n, "DT_INIT"],
  [13n, "DT_FINI"],
  [22n, "DT_TEXTREL"],
  [32n, "DT_PREINIT_ARRAY"],
]);
/** Put into an object by the linker, or from the C library's archive, only if something of it asks for them. */
const linked = {
  image:
    /^(__executable_start|__ehdr_start|_?_?etext|edata|end|__(pre)?init_array_(start|end)|__fini_array_(start|end))$/,
  archive: /^(atexit|at_quick_exit|pthread_atfork|[fl]?stat(64)?|fstatat(64)?|mknod(at)?)$/,
} as const;

export function factsOf(elf: ElfFile): ObjectFacts {
  const shared = elf.symbols.filter((s) => s.name !== "" && s.binding !== "local");
  const isLinked = (s: ElfSymbol) =>
    linked.image.test(s.name) ||
    (s.binding === "local" && s.type === "function" && linked.archive.test(s.name));
  const asked = [...shared.filter((s) => !s.defined), ...elf.symbols.filter(isLinked)];
  const defined = shared.filter((s) => s.defined).map(({ name, binding, type }) => ({ name, binding, type }));
  return {
    asked: [...new Set(asked.map((s) => s.name.replace(/@.*$/, "")))].sort(),
    defined: defined.sort((a, b) => (a.name < b.name ? -1 : 1)),
    sections: [...new Set(elf.sections.filter((s) => s.flags & allocated).map((s) => s.name))].sort(),
    dynamic: dynamicTags(elf),
    hasIndirectRelocations: hasIndirectRelocations(elf),
    callBytes: elf.sections
      .filter((s) => s.flags & sectionIsCode)
      .reduce((sum, s) => sum + callBytes(s.bytes), 0),
  };
}

function dynamicTags(elf: ElfFile): string[] {
  const bytes = elf.sections.find((s) => s.type === dynamicSection)?.bytes ?? Buffer.alloc(0);
  const tags: string[] = [];
  for (let at = 0; at + 16 <= bytes.length; at += 16) {
    const tag = telling.get(bytes.readBigUInt64LE(at));
    if (tag !== undefined) tags.push(tag);
  }
  return tags;
}

function hasIndirectRelocations(elf: ElfFile): boolean {
  return elf.sections
    .filter((s) => s.type === relocations.type)
    .some(({ bytes }) => {
      for (let at = 8; at + 16 <= bytes.length; at += 24)
        if ((relocations.indirect as readonly number[]).includes(bytes.readUInt32LE(at))) return true;
      return false;
    });
}

/** `syscall`, `sysenter`, `int 0x80` of x86; `svc #0` of ARM. */
const callPatterns = [
  Buffer.from([0x0f, 0x05]),
  Buffer.from([0x0f, 0x34]),
  Buffer.from([0xcd, 0x80]),
  Buffer.from([0x01, 0x00, 0x00, 0xd4]),
];

function callBytes(bytes: Buffer): number {
  let count = 0;
  for (const pattern of callPatterns)
    for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1)) count++;
  return count;
}

/** Instructions of a disassembly that enter the kernel, one line each. */
export function systemCallsIn(disassembly: string): string[] {
  return disassembly.split("\n").filter((line) => /\t(syscall|sysenter|int\s+\$0x80|svc\s)/.test(line));
}

/** Sections that compilers and linkers make by themselves. */
const usual =
  /^\.(text|rodata|data|bss|init_array|fini_array|eh_frame|eh_frame_hdr|gcc_except_table|dynsym|dynstr|hash|gnu\.hash|gnu\.version|gnu\.version_r|rela\.dyn|rela\.plt|rel\.dyn|rel\.plt|relr\.dyn|plt|plt\.got|plt\.sec|got|got\.plt|data\.rel\.ro|dynamic|tdata|tbss|tm_clone_table|stapsdt\.base|l(bss|data|rodata)|sdata|sbss)(\.|$)|^\.note\.|^(asan_globals|__sancov_\w+|__llvm_\w+|hwasan_globals)$/;

/** What is new in `after`. `isLibraryName` knows what the C library, the runtimes and the launcher define. */
export function newInObject(
  before: ObjectFacts,
  after: ObjectFacts,
  isLibraryName: (name: string) => boolean,
): Hit[] {
  const had = {
    asked: new Set(before.asked),
    sections: new Set(before.sections),
    dynamic: new Set(before.dynamic),
  };
  const defined = new Set(before.defined.map((d) => `${d.binding} ${d.name}`));
  const hits: Hit[] = [];
  const add = (kind: string, detail: string, message: string) =>
    hits.push({ kind, detail, message, line: 0 });
  // A baseline that opens files may open more of them, by other members.
  const known = new Set(before.asked.flatMap((name) => facilityOf(name)?.word ?? []));
  for (const name of after.asked) {
    if (had.asked.has(name)) continue;
    const facility = name.startsWith("_Z") ? facilityOf(name) : undefined;
    if (facility && !known.has(facility.word)) add("symbol-use", facility.word, facility.message);
    else for (const why of whyNotAsk(name)) add("symbol-use", name, why);
  }
  for (const d of after.defined)
    if (!defined.has(`${d.binding} ${d.name}`))
      for (const why of whyNotDefine(d, isLibraryName)) add("symbol-define", d.name, why);
  for (const name of after.sections)
    if (!had.sections.has(name) && !usual.test(name))
      add("section", name, "a section that compilers don't make by themselves");
  for (const tag of after.dynamic)
    if (!had.dynamic.has(tag)) add("section", tag, "code that runs or changes unseen");
  if (after.hasIndirectRelocations && !before.hasIndirectRelocations)
    add("symbol-define", "ifunc", "a function chosen by code that runs while the program loads");
  return hits;
}

function whyNotAsk(name: string): string[] {
  if (name.startsWith("_Z")) return [];
  if (linked.image.test(name)) return ["leads to the program's own image"];
  return isHarmlessName(name) ? [] : ["no name that computing, memory, text, streams or threads need"];
}

/** The allocator, and everything of the library's own namespaces. */
const operatorNewOrDelete = /^_Z(n[wa][mj]|d[la]Pv)/;
/** Placement new and its delete, which unoptimised code emits from the library's header. */
const placement = /^_Z(n[wa][mj]Pv|d[la]PvS_)$/;
const libraryNamespace = /^_ZT?[VIS]?(NK?)?(St|S[absiod]|9__gnu_cxx|10__cxxabiv1)|^_ZGVN?K?(St|9__gnu_cxx)/;
/** A member or overload for an own type of what programs may specialise, such as `std::hash<Mine>::operator()`. */
const specialisedForOwn =
  /^_ZT?[VIS]?(NK?)?(St|6ranges)+\d+(hash|formatter|less|less_equal|greater|greater_equal|equal_to|not_equal_to|numeric_limits|char_traits|tuple_size|tuple_element|default_delete|pointer_traits|iterator_traits|common_type|coroutine_traits|swap|is_error_code_enum|is_error_condition_enum)I(\d|N(?!St)|RK?\d)/;
const hooks =
  /^(__(asan|lsan|ubsan|tsan|msan|hwasan|sanitizer|interceptor|cyg_profile|gcov|cxa|libc|assert)_\w+|_Unwind_\w+|_dl_\w+|__gxx_personality_v0|__real_\w+|__wrap_\w+|ho_\w+|main|_init|_fini|_start|__dso_handle|_GLOBAL_OFFSET_TABLE_)$/;

function whyNotDefine(d: Definition, isLibraryName: (name: string) => boolean): string[] {
  if (d.type === "ifunc") return ["a function chosen by code that runs while the program loads"];
  if (operatorNewOrDelete.test(d.name) && !(d.binding === "weak" && placement.test(d.name)))
    return ["replaces the allocator that the sanitizer watches"];
  if (hooks.test(d.name)) return ["takes a name of a runtime or of the harness"];
  if (d.name.startsWith("_Z")) {
    if (d.binding !== "global" || !libraryNamespace.test(d.name) || specialisedForOwn.test(d.name)) return [];
    return ["defines a name of the library's namespace"];
  }
  const isCode = d.type === "function" || d.type === "none";
  return isCode && isLibraryName(d.name) ? ["takes a name of the C library or a runtime"] : [];
}
