import { describe, expect, test } from "vitest";
import {
  headersDiffer,
  hitsInExpanded,
  makesCodeByMacro,
  newInSources,
  type Surroundings,
} from "./tokens.ts";

const around: Surroundings = { headers: new Map(), includeDirs: ["include"], rawStrings: true };

/** What a file that a patch makes is found to hold. */
function found(text: string, path = "include/a.hpp", others: Record<string, string> = {}): string[] {
  const files = new Map([[path, text], ...Object.entries(others)]);
  return newInSources(new Map(Object.entries(others)), files, around).map(
    ({ kind, detail }) => `${kind}:${detail}`,
  );
}

describe("words", () => {
  test.each([
    ['asm("nop");', "asm:asm"],
    ['__asm__ volatile("nop");', "asm:asm"],
    ['#define NOTHING asm("nop")', "asm:asm"],
    ["void* p = __builtin_return_address(0);", "builtin:__builtin_return_address"],
    ["void f(int l = __builtin_LINE());", "caller:__builtin_LINE"],
    ["bool b = __BASE_FILE__[0] == 'h';", "detect:__BASE_FILE__"],
    ["#if __INCLUDE_LEVEL__ > 0\n#endif", "detect:__INCLUDE_LEVEL__"],
    ["#ifdef __SANITIZE_ADDRESS__\n#endif", "detect:__SANITIZE_ADDRESS__"],
    ["#if __has_feature(address_sanitizer)\n#endif", "detect:address_sanitizer"],
    ["void __asan_poison_memory_region(void const*, unsigned long);", "runtime:__asan_poison_memory_region"],
    ["extern char etext;", "image:etext"],
    ['extern "C" { extern char a, __executable_start; }', "image:__executable_start"],
    ["??=define X", "spelling:trigraph"],
    ["int a; // \\\r b\nint c;", "spelling:carriage return"],
    ['\xef\xbb\xbfasm("nop");', "asm:asm"],
    ["void f(int* p) { _mm_stream_si32(p, 1); }", "builtin:_mm_stream_si32"],
    ["auto x = _mm_loadl_pi(y, p);", "builtin:_mm_loadl_pi"],
    ["void f(int* p) { __builtin_ia32_movnti(p, 1); }", "builtin:__builtin_ia32_movnti"],
    ["auto x = __builtin___memcpy_chk(a, b, c, d);", "builtin:__builtin___memcpy_chk"],
    ["void f(FILE* f) { f->_fileno = 3; }", "runtime:_fileno"],
    ["void f(FILE& f) { f._IO_write_ptr = 0; }", "runtime:_IO_write_ptr"],
    ["auto x = stdout->member;", "runtime:stdout"],
    ["void f(long a) { reinterpret_cast<void (*)(int)>(a)(0); }", "image:function pointer"],
    ["using F = void (*)(int); F f = reinterpret_cast<F>(address);", "image:function pointer"],
    ["typedef int (*F)(); auto f = std::bit_cast<F>(address);", "image:function pointer"],
    ["void f(long a) { ((void (*)(int))a)(0); }", "image:function pointer"],
    ["auto f = reinterpret_cast<decltype(&g)>(address);", "image:function pointer"],
  ])("%s", (text, hit) => expect(found(text)).toContain(hit));

  test.each([
    "int end = 3; auto etext = end; struct X { int _end; };",
    "auto name = abi::__cxa_demangle(n, nullptr, nullptr, &s);",
    "int x = __builtin_popcount(3); if (!x) __builtin_unreachable(); __builtin_trap();",
    "log(__FILE__, __LINE__, __func__); static_assert(__cplusplus >= 201703L);",
    "#ifndef NDEBUG\ncheck();\n#endif",
    "extern int counter; extern template class std::vector<int>;",
    "int a;\r\n#define B \\\r\n  2\r\nint c;\r\n",
    "struct F { int _flags, _chain; int f() { return this->_flags; } }; std::fputs(s, stdout);",
    "void f(void (*callback)(int), void (*)()); using F = int (*)(int); F g = &h; void q(void (*)(int)) const;",
    "auto& a = reinterpret_cast<int (&)[4]>(x); auto n = reinterpret_cast<std::uintptr_t>(&y); auto* p = (char*)z;",
  ])("honest: %s", (text) => expect(found(text)).toEqual([]));

  test("a unit learns nothing from how deep it is included, unless a header includes it", () => {
    const text = "#if __INCLUDE_LEVEL__ < 9\n#endif";
    expect(found(text, "src/a.cpp")).toEqual([]);
    expect(found(text, "src/a.cpp", { "include/b.hpp": '#include "../src/a.cpp"' })).toEqual([
      "detect:__INCLUDE_LEVEL__",
    ]);
  });
});

describe("attributes and pragmas", () => {
  test.each([
    ['__attribute__((no_sanitize("address"))) void f();', "attribute:no_sanitize"],
    ["[[gnu::constructor]] void f();", "attribute:constructor"],
    ['[[using gnu: used, section("x")]] int x;', "attribute:section"],
    ["[[__gnu__::__weak__]] void f();", "attribute:weak"],
    ['void f() __attribute__((__noinline__, __optimize__("O0")));', "attribute:optimize"],
    ["__attribute__((SOMETHING)) void f();", "attribute:SOMETHING"],
    ["__declspec(selectany) int x;", "attribute:selectany"],
    ["[[assume(x > 0)]];", "attribute:assume"],
    ['__attribute__((tls_model("initial-exec"))) thread_local int x;', "attribute:tls_model"],
    ["#define QUIET __attribute__((destructor))", "attribute:destructor"],
    ['#pragma GCC optimize("O0")', "pragma:GCC optimize"],
    ["#pragma weak f = g", "pragma:weak"],
    ['_Pragma("redefine_extname a b")', "pragma:redefine_extname"],
    ['_Pragma("clang attribute push(__attribute__((weak)))")', "pragma:clang attribute"],
  ])("%s", (text, hit) => expect(found(text)).toContain(hit));

  test.each([
    "[[nodiscard, maybe_unused]] int f(); [[noreturn]] void g(); [[vendor::anything]] int h;",
    "__attribute__((always_inline, format(printf, 1, 2))) inline void f(const char*, ...);",
    "switch (x) { case 1: [[fallthrough]]; default: if (y) [[likely]] z(); }",
    "auto x = a[b[0]]; auto f = [] { return c[d[1]]; };",
    '#pragma once\n#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored "-Wall"\n#pragma omp simd\n#pragma warning(push)',
    'struct __attribute__((packed, aligned(4))) P { char a; }; _Pragma("GCC diagnostic pop")',
  ])("honest: %s", (text) => expect(found(text)).toEqual([]));
});

describe("directives", () => {
  test.each([
    ['#include "/etc/passwd"', "include:/etc/passwd"],
    ['#include "../../oracles/hidden.cpp"', "include:../../oracles/hidden.cpp"],
    ["#define WHERE <vector>\n#include WHERE", "include:macro"],
    ["#include_next <vector>", "include:#include_next"],
    ["#include <sys/mman.h>", "header:sys/mman.h"],
    ["#include <dlfcn.h>", "header:dlfcn.h"],
    ["#include <immintrin.h>", "header:immintrin.h"],
    ["#include <emmintrin.h>", "header:emmintrin.h"],
    ["#include <x86intrin.h>", "header:x86intrin.h"],
    ["\xef\xbb\xbf#define NDEBUG", "macro:NDEBUG"],
    ['#if __has_include("hidden.cpp")\n#endif', 'include:has "hidden.cpp"'],
    ['#line 3 "test.cpp"', "line:#line"],
    ["#define private public", "macro:private"],
    ["#define NDEBUG", "macro:NDEBUG"],
    ["#define main other", "macro:main"],
    ["#undef assert", "macro:assert"],
    ["#define size(x) 0", "macro:size"],
    ["#define _GLIBCXX_OPTIONAL 1", "macro:_GLIBCXX_OPTIONAL"],
  ])("%s", (text, hit) => expect(found(text)).toContain(hit));

  test.each([
    '#include "b.hpp"\n#include "../include/b.hpp"\n#include <a/b.hpp>\n#include <unistd.h>\n#include <bits/stdc++.h>',
    "#ifndef _A_HPP_\n#define _A_HPP_\n#define A_LIMIT 3\n#define A_MIN(a, b) ((a) < (b) ? (a) : (b))\n#endif",
    "#if __has_include(<optional>)\n#include <optional>\n#endif",
    "#define _USE_MATH_DEFINES\n#define __STDC_FORMAT_MACROS 1\n#undef NDEBUG",
    "#define push_back x\n#undef push_back",
    "#ifndef __has_feature\n#define __has_feature(x) 0\n#endif",
  ])("honest: %s", (text) => expect(found(text, "include/a.hpp", { "include/b.hpp": "" })).toEqual([]));
});

describe("std", () => {
  test.each([
    [
      "namespace std { inline bool operator==(const optional<int>&, int) { return true; } }",
      "std:namespace std",
    ],
    ["namespace std { template <> struct hash<int> {}; }", "std:namespace std"],
    ["namespace std { class Mine; }", "std:namespace std"],
    ["namespace std { template <class T> struct is_same<T, int> {}; } struct T2 {};", "std:namespace std"],
    ["template <> struct std::less<int> {};", "std:template in std"],
    [
      "template <> bool std::operator==(const std::optional<int>&, const int&) { return true; }",
      "std:template in std",
    ],
    [
      "template <class T> bool operator==(const std::optional<T>&, const T&) { return true; }",
      "operator:operator ==",
    ],
    ["namespace a { bool operator<(const std::string&, int); }", "operator:operator <"],
    [
      "struct Own {}; template <class Own> bool operator!=(const std::optional<Own>&, int);",
      "operator:operator !=",
    ],
    ["struct optional; bool operator==(const std::optional<int>&, int);", "operator:operator =="],
    ["void* operator new(std::size_t n) { return 0; }", "operator:operator new"],
    ["#define OPEN namespace std {", "std:namespace std"],
    ["namespace s = std; template <> class s::optional<int> {};", "std:template in std"],
    [
      "namespace a { namespace s = ::std; } namespace t = a::s; template <> class t::optional<int> {};",
      "std:template in std",
    ],
    ["namespace a { using namespace std; } template <> class a::optional<int> {};", "std:template in std"],
    [
      "namespace a { using std::optional; } namespace b = a; template <> class b::optional<int> {};",
      "std:template in std",
    ],
    [
      "namespace s = std; template <> bool s::operator==(const A&, const B&) { return true; }",
      "std:template in std",
    ],
    [
      "template <> decltype(true) std::operator==(const A&, const B&) { return true; }",
      "std:template in std",
    ],
    [
      "struct Q { using Item = int; }; inline bool operator==(const std::optional<Q::Item>&, const Q::Item&);",
      "operator:operator ==",
    ],
    ["struct Q {}; bool operator==(std::optional<int>, decltype(sizeof(Q)));", "operator:operator =="],
    ["struct Q {}; bool operator==(std::optional<int>, int = Q{});", "operator:operator =="],
    [
      "struct Q {}; template <class T> using O = int; bool operator==(std::optional<int>, O<Q>);",
      "operator:operator ==",
    ],
    [
      "struct Q {}; struct R { using Q = int; }; bool operator==(std::optional<R::Q>, R::Q);",
      "operator:operator ==",
    ],
    ["struct Q {}; template <class... Q> bool operator==(std::optional<int>, Q...);", "operator:operator =="],
    ['namespace [[deprecated("x")]] a { bool operator==(int, std::string); }', "operator:operator =="],
  ])("%s", (text, hit) => expect(found(text)).toContain(hit));

  test.each([
    "struct Mine {}; template <> struct std::hash<Mine> { std::size_t operator()(const Mine&) const; };",
    "struct Mine {}; template <> inline std::size_t std::hash<Mine>::operator()(const Mine&) const { return 1; }",
    "template <class T> struct V {}; namespace std { template <class T> struct tuple_size<V<T>> : integral_constant<size_t, 3> {}; }",
    "struct Mine {}; namespace std { template <> struct numeric_limits<Mine> { static constexpr bool is_specialized = true; }; }",
    "struct Mine {}; namespace std { template <> inline void swap(Mine& a, Mine& b) noexcept { a.swap(b); } }",
    "struct Mine {}; template <> inline constexpr bool std::ranges::enable_borrowed_range<Mine> = true;",
    "struct Mine { bool operator==(int) const; friend bool operator<(int a, int b); void* operator new(std::size_t); };",
    "struct Mine {}; bool operator==(const Mine&, int); std::ostream& operator<<(std::ostream&, const std::vector<int>&);",
    "struct M { template <class T> std::strong_ordering operator<=>(const T&) const; }; template class std::vector<M>;",
    "using namespace std; namespace fs = std::filesystem; namespace my::std_like { int x; }",
    "namespace a { using namespace std; template <class T> struct Box {}; } template <> struct a::Box<int> {};",
    "struct Item {}; namespace m { struct Q { struct Part {}; }; } bool operator==(const std::vector<Item>&, int); bool operator<(const m::Q::Part&, int);",
    "struct B { B(int); }; struct D : B { using B::B; }; bool operator==(const B&, const D&);",
    "namespace d { using std::begin; enum class V { a }; } struct J { using V = d::V; }; bool operator<(d::V a, d::V b);",
    "typedef struct P { int x; } P; bool operator==(const P& a, const P& b);",
    "template <class T> struct V {}; template <class T> bool operator==(const V<T>& a, const V<T>& b);",
  ])("honest: %s", (text) => expect(found(text)).toEqual([]));
});

describe("functions that a test defines", () => {
  const test1 =
    '#include <a>\nnamespace { void expect(bool ok, const std::string& what) {} }\nint main() { using namespace used; expect(push(1), "x"); }';
  const kinds = (text: string, path = "include/a.hpp") =>
    newInSources(new Map(), new Map([[path, text]]), { ...around, testUnits: [test1] }).map(
      ({ kind, detail }) => `${kind}:${detail}`,
    );

  test("may not be outbid by a header", () => {
    const text = "template <unsigned long N> void expect(bool, const char (&)[N]) {}";
    expect(kinds(text)).toEqual(["overload:expect"]);
    expect(kinds(text, "src/a.cpp")).toEqual([]);
  });

  test.each([
    "namespace a { using Ticks = int; inline void expect(int); }",
    "namespace a { struct S {}; namespace detail { template <int N, class T> void expect(T); } }",
    "namespace a { namespace b { namespace { void expect(int); } } }",
  ])("are not outbid from a namespace that no test finds: %s", (text) => expect(kinds(text)).toEqual([]));

  test.each([
    "namespace a { struct S {}; void expect(S); }",
    "namespace a { enum class E { e }; inline namespace v1 { void expect(E); } }",
    "namespace a { template <class T> using Box = T; void expect(int); }",
    "namespace a { inline namespace v1 {} } namespace a::v1 { void expect(int); }",
    "namespace a { void expect(int); } using namespace a;",
    "namespace a::b { void expect(int); } using a::b::expect;",
    "namespace a { void expect(int); } namespace c = a;",
    "namespace used { void expect(int); }",
    "inline namespace a { void expect(int); }",
    "namespace { void expect(int); }",
    'extern "C" { void expect(int); }',
  ])("may not be outbid from where a call without a namespace leads: %s", (text) =>
    expect(kinds(text)).toEqual(["overload:expect"]),
  );

  test("have nothing to do with members, calls, and names that tests only call", () => {
    expect(
      kinds("struct A { void expect(bool); }; bool push(int); inline int f() { return expect(1); }"),
    ).toEqual([]);
  });
});

describe("against the baseline", () => {
  const before = new Map([
    ["include/a.hpp", 'asm("a");\nint f();\n'],
    ["src/b.cpp", "int g();\n"],
  ]);

  test("what was there is no finding, in another place or another file neither", () => {
    const after = new Map([
      ["include/a.hpp", "int f();\n"],
      ["src/b.cpp", 'int g();\nasm("b");\n'],
    ]);
    expect(newInSources(before, after, around)).toEqual([]);
  });

  test("one more of its kind is", () => {
    const after = new Map([...before, ["src/b.cpp", 'int g();\nasm("b");\n'] as const]);
    expect(newInSources(before, after, around)).toMatchObject([{ kind: "asm", file: "src/b.cpp", line: 2 }]);
  });

  test("says whether tests can see a difference, and whether macros make code", () => {
    const unit = new Map([...before, ["src/b.cpp", "#define PASTE(a, b) a##b\n"] as const]);
    const header = new Map([...before, ["include/a.hpp", "#define LIMIT 3\n"] as const]);
    expect([headersDiffer(before, unit, around), headersDiffer(before, header, around)]).toEqual([
      false,
      true,
    ]);
    expect([makesCodeByMacro(before, unit, around), makesCodeByMacro(before, header, around)]).toEqual([
      true,
      false,
    ]);
  });
});

test("after expansion the words of the library's own macros mean nothing, those of the language do", () => {
  const hits = hitsInExpanded("a.cpp", '(x ? void(0) : __assert_fail("x")); asm("nop");', new Map(), around);
  expect(hits.map(({ kind }) => kind)).toEqual(["asm"]);
});

test("a list of any length is read without a call for each item", () => {
  expect(found(`__attribute__((a(${"b,".repeat(300_000)}))) int x;`)).toEqual(["attribute:a"]);
  expect(found("[[a]]".repeat(200_000)).length).toBe(200_000);
});

test("hostile text is read in time that grows with its length only", { timeout: 120_000 }, () => {
  const units = [
    "[[",
    "template <",
    "extern ",
    "namespace std {",
    "operator==(",
    "#define size\n",
    "struct [ ",
    "struct(",
    "template<",
    "using namespace std; template <> struct ",
    "__pragma(",
    "template<>struct std::a ",
    "bool operator==(",
    "namespace a { struct b {",
    "(T&)x ",
    "template<class T> a(T&& ",
    "using a = b&; a(const ",
  ];
  for (const unit of [...units, "__attribute__((", "#if 0\nx\n#endif\ny\n", "\\\n", 'R"(', "a::"]) {
    // Tenths of a second where it is linear; minutes, and so the end of this test's time, where it isn't.
    expect(found(unit.repeat(20_000)), unit).toBeInstanceOf(Array);
  }
});
