/** Words that honest code of a task has no use for: inline assembly, frames and callers, traces of the harness. */
import type { Token } from "./lexer.ts";
import {
  afterAngle,
  afterClosing,
  allTokens,
  type Hit,
  isSign,
  isWord,
  type Rule,
  tokenRuns,
} from "./source-rule.ts";

interface WordGroup {
  readonly kind: string;
  readonly pattern: RegExp;
  readonly message: string;
  /** Only where a test's compile can see it: elsewhere there is nothing to learn from it. */
  readonly onlyForTests?: boolean;
  /** Only in this place. */
  readonly where?: (before: Token | undefined, after: Token | undefined) => boolean;
  /** After expansion such words come from the library's own macros. */
  readonly notExpanded?: boolean;
}

const groups: readonly WordGroup[] = [
  { kind: "asm", pattern: /^(asm|__asm|__asm__)$/, message: "inline assembly can do what no rule sees" },
  {
    kind: "builtin",
    pattern:
      /^__builtin_(return_address|extract_return_addr|frob_return_addr|frame_address|stack_address|dwarf_cfa|dwarf_sp_column|apply|apply_args|return|setjmp|longjmp|eh_return|eh_return_data_regno|unwind_init|init_dwarf_reg_size_table|thread_pointer|set_thread_pointer|call_with_static_chain|sponentry|aggregate_incoming_address)$/,
    message: "looks at or changes the frames of its callers",
  },
  {
    kind: "builtin",
    pattern:
      /^(_mm\d*_(stream|storel|storeh|loadl_p|loadh_p|maskmov|maskload|maskstore|mask|i(32|64)(gather|scatter)|lddqu|xsave|clflush)\w*|_(addcarryx?|subborrow)_u\d+|_rd(rand|seed)\d+_step|_directstoreu_u\d+|_movdir64b|_enqcmds?|_f?x(save|rstor)\w*|__builtin_ia32_(?!pause$|rdtscp?$)\w+)$/,
    message: "reads or writes memory by an instruction that no sanitizer watches",
  },
  {
    kind: "builtin",
    pattern: /^(__builtin_)?__\w+_chk$/,
    message: "reads or writes memory by a function that no sanitizer watches",
    notExpanded: true,
  },
  {
    kind: "caller",
    pattern: /^(__builtin_(FILE|LINE|COLUMN|FUNCTION|FUNCSIG|source_location)|source_location)$/,
    message: "tells a function where in the test its caller is",
  },
  {
    kind: "detect",
    pattern:
      /^(__BASE_FILE__|__TIMESTAMP__|__SANITIZE_\w+|_GLIBCXX_(ASSERTIONS|SANITIZE_VECTOR|SANITIZE_STD_ALLOCATOR)|HO_(OWN_TEXT|NOEXCEPT|TARGET_H)|ADDRESS_SANITIZER|THREAD_SANITIZER)$/,
    message: "tells how or for what the code is compiled, so that it can behave differently when tested",
    notExpanded: true,
  },
  {
    kind: "detect",
    pattern: /^__INCLUDE_LEVEL__$/,
    message: "tells whether a test includes the code",
    onlyForTests: true,
    notExpanded: true,
  },
  {
    kind: "runtime",
    pattern:
      /^(__(asan|lsan|ubsan|tsan|msan|hwasan|sanitizer|sancov|gcov|libc|interceptor)_\w+|(ASAN|LSAN|TSAN|MSAN)_\w+)$/,
    message: "speaks to a sanitizer's runtime or to the C library's inside",
  },
  {
    kind: "runtime",
    pattern: /^(_fileno|_IO_(?!FILE$)\w+)$/,
    message: "reaches into a stream of the C library",
    where: (before, after) => isSign(before, "->", ".", "::") || isSign(after, "->", "."),
  },
  {
    kind: "runtime",
    pattern: /^(stdin|stdout|stderr)$/,
    message: "reaches into a stream of the C library",
    where: (_, after) => isSign(after, "->"),
  },
  {
    kind: "runtime",
    pattern:
      /^(__assert_fail|__assert_perror_fail|__assert_rtn|__cxa_(?!demangle$|current_exception_type$)\w+|_Unwind_\w+|__gxx_personality_v0|_dl_\w+|ho_(check_passed|check_failed|entry|gate))$/,
    message: "speaks to the language's runtime or to the harness",
    notExpanded: true,
  },
];

/** Words of the groups above, wherever the compiler would read them. */
export const wordRule: Rule = (file) =>
  allTokens(file).flatMap((token, i, all): Hit[] => {
    if (token.kind !== "word") return [];
    const isHere = (g: WordGroup) => g.where?.(all[i - 1], all[i + 1]) ?? true;
    const group = groups.find((g) => g.pattern.test(token.text) && isHere(g));
    if (!group || (group.onlyForTests && !file.reachesTests) || (group.notExpanded && file.expanded))
      return [];
    const detail = group.kind === "asm" ? "asm" : token.text;
    return [{ kind: group.kind, detail, message: group.message, line: token.line }];
  });

const sanitizerFeature =
  /^(address|thread|memory|undefined_behavior|leak|hwaddress|dataflow|realtime)_sanitizer|^coverage_sanitizer|^safe_stack$/;

/** `__has_feature(address_sanitizer)` and its kin. */
export const featureRule: Rule = (file) =>
  tokenRuns(file).flatMap((tokens) =>
    tokens.flatMap((token, i): Hit[] => {
      const name = tokens[i + 2];
      if (!isWord(token, "__has_feature", "__has_extension") || !name || !sanitizerFeature.test(name.text))
        return [];
      const message = "tells whether a sanitizer is on, so that the code can behave differently when tested";
      return [{ kind: "detect", detail: name.text, message, line: token.line }];
    }),
  );

const image = new Set(
  `__executable_start __ehdr_start _DYNAMIC _GLOBAL_OFFSET_TABLE_ __dso_handle etext _etext __etext edata _edata end _end
  __bss_start __data_start data_start __preinit_array_start __init_array_start __init_array_end __fini_array_start
  __fini_array_end _init _fini _start environ __environ _environ program_invocation_name program_invocation_short_name
  __progname __progname_full __libc_start_main __stack_chk_guard _r_debug`.split(/\s+/),
);

/** `extern char __executable_start, end;`: names that the linker or the loader defines. */
export const imageRule: Rule = (file) =>
  tokenRuns(file).flatMap((tokens) =>
    tokens.flatMap((token, i) => (isWord(token, "extern") ? imageNames(tokens, i) : [])),
  );

function imageNames(tokens: readonly Token[], from: number): Hit[] {
  const hits: Hit[] = [];
  for (let i = from + 1; i < from + 200; i++) {
    const token = tokens[i];
    if (token === undefined || isWord(token, "extern") || isSign(token, ";", "}", "=")) break;
    if (isSign(token, "{") && !(tokens[i - 1]?.kind === "string")) break;
    if (isSign(token, "(")) i = afterClosing(tokens, i) - 1;
    else if (token.kind === "word" && image.has(token.text)) {
      const message = "leads to the program's own image, name or environment";
      hits.push({ kind: "image", detail: token.text, message, line: token.line });
    }
  }
  return hits;
}

/** A cast to a pointer to a function: code that no symbol and no declaration leads to. */
export const castRule: Rule = (file) =>
  tokenRuns(file).flatMap((tokens) => {
    const pointers = functionPointers(tokens);
    return tokens.flatMap((token, i): Hit[] => {
      if (!castsByName(tokens, i, pointers) && !castsByType(tokens, i)) return [];
      const message = "leads to code at an address, whatever stands there";
      return [{ kind: "image", detail: "function pointer", message, line: token.line }];
    });
  });

function castsByName(tokens: readonly Token[], at: number, pointers: ReadonlySet<string>): boolean {
  if (
    tokens[at]?.kind !== "word" ||
    !isWord(tokens[at], "reinterpret_cast", "bit_cast", "__builtin_bit_cast")
  )
    return false;
  const open = tokens[at + 1];
  const end = isSign(open, "<")
    ? (afterAngle(tokens, at + 1) ?? at)
    : at + (isSign(open, "(") ? longestType : 0);
  for (let i = at + 2; i < Math.min(end, at + longestType); i++) {
    if (isSign(open, "(") && isSign(tokens[i], ",")) return false;
    if (isPointerDeclarator(tokens, i) || pointers.has(tokens[i]?.text ?? "")) return true;
    if (isWord(tokens[i], "decltype") && isSign(tokens[i + 2], "&")) return true;
  }
  return false;
}

/** `(void (*)(int)) address`: told from a parameter by what stands before and after. */
function castsByType(tokens: readonly Token[], at: number): boolean {
  if (!isPointerDeclarator(tokens, at) || !isSign(tokens[at + 2], ")")) return false;
  const outer = tokens[at]?.parent ?? -1;
  const from = outer - (tokens[at]?.at ?? 0) + at;
  const [before, operand] = [tokens[from - 1], tokens[afterClosing(tokens, from)]];
  if (
    outer < 0 ||
    !isSign(tokens[from], "(") ||
    afterClosing(tokens, at + 3) + 1 !== afterClosing(tokens, from)
  )
    return false;
  const isCalled = (before?.kind === "word" && before.text !== "return") || isSign(before, ">", "]", ")");
  const isOperand = operand?.kind === "word" || operand?.kind === "number" || isSign(operand, "(");
  return !isCalled && isOperand && !isWord(operand, "const", "noexcept", "override", "final", "mutable");
}

/** No honest type has more tokens. */
const longestType = 40;

/** `(*)(` or `(*name)(`. */
function isPointerDeclarator(tokens: readonly Token[], at: number): boolean {
  return (
    isSign(tokens[at], "(") &&
    isSign(tokens[at + 1], "*", "&") &&
    (isSign(tokens[at + 2], ")") || isSign(tokens[at + 3], ")")) &&
    isSign(tokens[afterClosing(tokens, at)], "(")
  );
}

/** Names that a run gives to types of pointers to functions. */
function functionPointers(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  tokens.forEach((token, at) => {
    if (token.kind !== "word") return;
    const isUsing = isWord(token, "using") && isSign(tokens[at + 2], "=");
    if (!isUsing && !isWord(token, "typedef")) return;
    for (let i = at + 1; i < at + longestType && !isSign(tokens[i], ";"); i++)
      if (isPointerDeclarator(tokens, i)) {
        names.add((isUsing ? tokens[at + 1] : tokens[i + 2])?.text ?? "");
        return;
      } else if (isSign(tokens[i], "(")) return;
  });
  return names;
}

/** Trigraphs and names spelled with escapes serve to hide a word from a reader. */
export const spellingRule: Rule = (file) => [
  ...file.trigraphs.map(
    (line): Hit => ({
      kind: "spelling",
      detail: "trigraph",
      message: "a trigraph hides what is compiled",
      line,
    }),
  ),
  ...(file.loneReturn === undefined
    ? []
    : [
        {
          kind: "spelling",
          detail: "carriage return",
          message: "a carriage return within a line hides what is compiled",
          line: file.loneReturn,
        },
      ]),
];
