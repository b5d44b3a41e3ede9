/** Attributes and pragmas: those that hint to the optimiser or a reader pass, those that weaken checks or hook in don't. */
import { lex, type Token } from "./lexer.ts";
import { afterClosing, type Hit, isSign, isWord, type Rule, tokenRuns } from "./source-rule.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** GNU and standard attributes without power over sanitizers, symbols or what runs when. */
const harmless = words(`
  nodiscard maybe_unused deprecated fallthrough likely unlikely noreturn no_unique_address carries_dependency
  indeterminate unsequenced reproducible unavailable
  always_inline noinline pure const hot cold packed aligned nonnull returns_nonnull malloc alloc_size alloc_align
  assume_aligned format format_arg unused warn_unused_result warn_unused flatten gnu_inline visibility artificial leaf
  nothrow sentinel may_alias vector_size ext_vector_type mode transparent_union access nonstring designated_init
  disable_tail_calls arm_sve_vector_bits noclone abi_tag externally_visible noplt no_icf noipa strict_flex_array counted_by
  fastcall cdecl stdcall thiscall regparm ms_abi sysv_abi vectorcall preserve_all preserve_most
  dllexport dllimport align novtable empty_bases restrict allocator intrin_type
  enum_extensibility flag_enum lifetimebound lifetime_capture_by trivial_abi noescape nodebug musttail preferred_name
  require_constant_initialization standalone_debug overloadable diagnose_if enable_if pass_object_size
  no_destroy always_destroy reinitializes not_tail_called swiftcall callback
  guarded_by pt_guarded_by guarded_var requires_capability acquire_capability release_capability try_acquire_capability
  assert_capability capability scoped_lockable lockable locks_excluded lock_returned acquired_after acquired_before
  exclusive_locks_required shared_locks_required exclusive_lock_function shared_lock_function unlock_function
  exclusive_trylock_function shared_trylock_function no_thread_safety_analysis consumable callable_when set_typestate
  return_typestate type_visibility internal_linkage exclude_from_explicit_instantiation using_if_exists annotate host
  device global shared constant launch_bounds
`);
/** Compilers that we use obey attributes of these namespaces; others they ignore. */
const obeyed = new Set(["gnu", "__gnu__", "clang", "_Clang"]);

/** Finds attributes that are not known to be harmless, in every spelling. */
export const attributeRule: Rule = (file) => tokenRuns(file).flatMap(attributesIn);

function attributesIn(tokens: readonly Token[]): Hit[] {
  const hits: Hit[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const [token, next] = [tokens[i], tokens[i + 1]];
    const isGnu = isWord(token, "__attribute__", "__attribute");
    if ((isGnu || isWord(token, "__declspec")) && isSign(next, "(")) {
      const [end, depth] = [afterClosing(tokens, i + 1), isGnu ? 2 : 1];
      for (const hit of listed(tokens.slice(i + 1 + depth, end - depth))) hits.push(hit);
      i = end - 1;
    } else if (isSign(token, "[") && isSign(next, "[")) {
      const end = afterClosing(tokens, i);
      for (const hit of standard(tokens.slice(i + 2, end - 2))) hits.push(hit);
      i = end - 1;
    }
  }
  return hits;
}

/** Each item of a comma-separated list, with its arguments. */
function items(tokens: readonly Token[]): (readonly Token[])[] {
  const found: (readonly Token[])[] = [];
  let from = 0;
  for (let i = 0; i <= tokens.length; i++) {
    if (isSign(tokens[i], "(", "[", "{")) i = afterClosing(tokens, i) - 1;
    else if (i === tokens.length || isSign(tokens[i], ",")) {
      if (i > from) found.push(tokens.slice(from, i));
      from = i + 1;
    }
  }
  return found;
}

function listed(tokens: readonly Token[]): Hit[] {
  // `__declspec(a b)` separates by spaces, and a macro may stand between the items of a list.
  return items(tokens).flatMap((item) => {
    const open = item.findIndex((token) => isSign(token, "("));
    const names = open < 0 ? item : item.slice(0, open);
    return names.filter((t) => t.kind === "word").flatMap(judge);
  });
}

function standard(tokens: readonly Token[]): Hit[] {
  let [prefix, body] = ["", tokens];
  if (isWord(tokens[0], "using")) {
    prefix = tokens[1]?.text ?? "";
    body = tokens.slice(3);
  }
  return items(body).flatMap((item) => {
    const [first, colons, second] = item;
    const scoped = isSign(colons, "::") && second?.kind === "word";
    const space = scoped ? (first?.text ?? "") : prefix;
    const name = scoped ? second : first;
    if (name?.kind !== "word" || (space !== "" && !obeyed.has(space))) return [];
    return judge(name);
  });
}

function judge(token: Token): Hit[] {
  const name = token.text.replace(/^__(.+)__$/, "$1");
  if (harmless.has(name) || harmless.has(name.toLowerCase())) return [];
  const message = "this attribute is not one of those known to be harmless";
  return [{ kind: "attribute", detail: name, message, line: token.line }];
}

/** Pragmas that g++ or clang++ obeys and that change symbols, macros, layout or code. Those that neither knows do nothing. */
const pragmas = words(`
  weak redefine_extname extern_prefix push_macro pop_macro scalar_storage_order ms_struct align options segment init fini
  init_seg section code_seg data_seg bss_seg const_seg optimize function alloc_text poison attribute interrupt long_calls
  short_calls unused
`);
const gccPragmas = words(
  "diagnostic system_header ivdep unroll novector warning error push_options pop_options",
);
const clangPragmas = words("diagnostic system_header loop fp diagnostic_push diagnostic_pop");

/** Finds pragmas that could change code generation, symbols or macros; `_Pragma` and `__pragma` too. */
export const pragmaRule: Rule = (file) => [
  ...file.directives.flatMap((d) => (d.name === "pragma" ? judgePragma(d.tokens, d.line) : [])),
  ...tokenRuns(file).flatMap(pragmaOperators),
];

function pragmaOperators(tokens: readonly Token[]): Hit[] {
  return tokens.flatMap((token, i) => {
    if (!isSign(tokens[i + 1], "(")) return [];
    if (isWord(token, "__pragma"))
      return judgePragma(tokens.slice(i + 2, Math.min(i + 4, afterClosing(tokens, i + 1) - 1)), token.line);
    if (!isWord(token, "_Pragma")) return [];
    const text = tokens[i + 2];
    // What a macro makes of its arguments is looked at after expansion.
    if (text?.kind !== "string") return [];
    return judgePragma(lex(text.text.replace(/\\(["\\])/g, "$1")).tokens, token.line);
  });
}

function judgePragma(tokens: readonly Token[], line: number): Hit[] {
  const [first, second] = tokens;
  if (first === undefined) return [];
  const family = first.text === "GCC" ? gccPragmas : first.text === "clang" ? clangPragmas : undefined;
  if (family ? family.has(second?.text ?? "") : !pragmas.has(first.text)) return [];
  const detail = family ? `${first.text} ${second?.text ?? ""}` : first.text;
  return [{ kind: "pragma", detail, message: "this pragma is not one of those known to be harmless", line }];
}
