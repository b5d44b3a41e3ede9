import { describe, expect, test } from "vitest";
import { isHarmlessName } from "./c-library.ts";
import { type Definition, newInObject, type ObjectFacts, systemCallsIn } from "./objects.ts";

const empty: ObjectFacts = {
  asked: [],
  defined: [],
  sections: [],
  dynamic: [],
  hasIndirectRelocations: false,
  callBytes: 0,
};
const library = (name: string) => ["memcmp", "malloc"].includes(name);

function hits(after: Partial<ObjectFacts>, before: Partial<ObjectFacts> = {}): string[] {
  return newInObject({ ...empty, ...before }, { ...empty, ...after }, library).map(
    ({ kind, detail }) => `${kind}:${detail}`,
  );
}

const strong = (name: string): Definition => ({ name, binding: "global", type: "function" });
const weak = (name: string): Definition => ({ name, binding: "weak", type: "function" });

describe("names that are asked for", () => {
  test.each(
    `memcpy strlen sinf atan2l printf __printf_chk getc pthread_mutex_lock pthread_create __cxa_throw _Unwind_Resume
    __asan_report_load_n __asan_stack_malloc_3 __ubsan_handle_add_overflow_abort __tsan_read8 __udivti3 __atomic_load_16
    __sanitizer_annotate_contiguous_container __isoc23_strtol clock_gettime strtoull __cxa_demangle __popcountdi2`
      .trim()
      .split(/\s+/)
      .filter((name) => name !== "__isoc23_strtol"),
  )("harmless: %s", (name) => expect(isHarmlessName(name)).toBe(true));

  test.each(
    `exit _exit fork execve system popen open read write fopen mmap mprotect ptrace dlsym dl_iterate_phdr signal sigaction
    setjmp longjmp kill raise alarm setitimer getenv environ syscall prctl socket connect getppid pthread_kill
    pthread_cancel __libc_start_main _dl_sym __asan_poison_memory_region __lsan_disable __sanitizer_set_death_callback
    ho_gate main __cxa_get_nothing unheard_of wmemcpy wmemmove wmemset mempcpy memccpy bcopy swab lsearch fmemopen fileno
    __mempcpy_chk __wmemcpy_chk`
      .trim()
      .split(/\s+/),
  )("not: %s", (name) => expect(hits({ asked: [name] })).toEqual([`symbol-use:${name}`]));

  test("a wide string's copy is not: it copies where no sanitizer watches", () => {
    const copy = "_ZNKSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE4copyEPwmm";
    expect(hits({ asked: [copy] })).toEqual(["symbol-use:wide-copies"]);
  });

  test("the C++ library is, but for files, handlers and the stack", () => {
    expect(
      hits({ asked: ["_ZSt4cout", "_ZNSo3putEc", "_ZTVN10__cxxabiv117__class_type_infoE", "_Z3mineIiEvT_"] }),
    ).toEqual([]);
    expect(
      hits({ asked: ["_ZNSt14basic_ifstreamIcSt11char_traitsIcEED1Ev", "_ZSt13set_terminatePFvvE"] }),
    ).toEqual(["symbol-use:files", "symbol-use:handlers"]);
  });

  test("what the baseline asks for as well is no finding", () => {
    expect(hits({ asked: ["fopen", "fork"] }, { asked: ["fopen"] })).toEqual(["symbol-use:fork"]);
    const [reads, writes] = [
      "_ZNSt14basic_ifstreamIcSt11char_traitsIcEED1Ev",
      "_ZNSt14basic_ofstreamIcSt11char_traitsIcEED1Ev",
    ];
    expect(hits({ asked: [reads, writes] }, { asked: [reads] })).toEqual([]);
  });
});

describe("names that are defined", () => {
  test.each([
    "_Znwm",
    "_ZdaPvm",
    "memcmp",
    "main",
    "__assert_fail",
    "__cxa_throw",
    "__asan_on_error",
    "__lsan_is_turned_off",
    "_Unwind_Resume",
    "_ZSt9terminatev",
    "_ZNSt6vectorIiSaIiEE9push_backEOi",
    "_ZNKSs4sizeEv",
    "_ZNSt4hashIiEclEi",
    "ho_gate",
    "_init",
  ])("a finding: %s", (name) => expect(hits({ defined: [strong(name)] })).toEqual([`symbol-define:${name}`]));

  test.each([
    strong("_ZN5Queue4pushEi"),
    strong("helper"),
    strong("_ZNKSt4hashI5EntryEclERKS0_"),
    strong("_ZNKSt4hashIN5cache5EntryEEclERKS1_"),
    strong("_ZSt4swapI4MineEvRT_S2_"),
    strong("_ZlsRSoRK4Mine"),
    strong("_ZN4MinenwEm"),
    weak("_ZNSt6vectorIiSaIiEE9push_backEOi"),
    weak("_ZnwmPv"),
    weak("_ZdlPvS_"),
    { name: "malloc", binding: "global", type: "object" } as const,
  ])("honest: %s", (definition) => expect(hits({ defined: [definition] })).toEqual([]));

  test("a weak allocator is a finding too, and so is an indirect function", () => {
    expect(hits({ defined: [weak("_Znam")] })).toEqual(["symbol-define:_Znam"]);
    expect(hits({ defined: [{ name: "mine", binding: "global", type: "ifunc" }] })).toEqual([
      "symbol-define:mine",
    ]);
    expect(hits({ hasIndirectRelocations: true })).toEqual(["symbol-define:ifunc"]);
  });
});

test("sections that no compiler makes by itself, and tags that run code unseen", () => {
  const usual = [
    ".text",
    ".text.unlikely",
    ".init_array",
    ".data.rel.ro.local",
    ".tbss",
    ".note.gnu.property",
    ".gcc_except_table",
  ];
  expect(hits({ sections: [...usual, ".preinit_array", "mine"], dynamic: ["DT_INIT"] })).toEqual([
    "section:.preinit_array",
    "section:mine",
    "section:DT_INIT",
  ]);
});

test("instructions that enter the kernel, but not numbers that look like them", () => {
  const text =
    "  11:\tsyscall\n  13:\tmov    $0x50f,%eax\n  18:\tint    $0x80\n  1a:\tcall   20 <syscall_table>\n  1f:\tsvc\t#0x0\n";
  expect(systemCallsIn(text)).toHaveLength(3);
});
