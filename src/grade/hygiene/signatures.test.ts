import { describe, expect, test } from "vitest";
import type { ElfSymbol } from "../elf.ts";
import { answersIn, mayReplace } from "./answers.ts";
import { publicFunctions, publicNames } from "./declarations.ts";
import { lex } from "./lexer.ts";
import { probesFor, probeUnit } from "./signatures.ts";
import { withoutAllowed } from "./source-rule.ts";

const functions = (text: string) =>
  publicFunctions(lex(text).tokens).map((f) => {
    const scope = [...f.namespaces, ...(f.owner ? [f.owner.name] : []), f.name].join("::");
    return `${f.returns} ${scope}(${f.parameters.join("; ")})${f.isConst ? " const" : ""}`;
  });

describe("publicFunctions", () => {
  test("reads types, names and parameters of a plain class", () => {
    const text = `class Q { int hidden(); public: explicit Q(int n = 3); ~Q(); [[nodiscard]] virtual bool push(std::int32_t v) noexcept(true) = 0;
      const std::vector<int>& all() const { return all_; } static unsigned long count(const Q& q, int = 3);
      Q& operator=(const Q&) = delete; void gone() = delete; protected: int kept(); private: std::map<int, int> m_{{1, 2}}; };`;
    expect(functions(text)).toEqual([
      "bool Q::push(std :: int32_t)",
      "const std :: vector < int > & Q::all() const",
      "unsigned long Q::count(const Q &; int)",
    ]);
  });

  test("goes into namespaces and class templates, and past bodies and initialisers", () => {
    const text = `namespace a::b { inline namespace v1 { struct S { S() : x{1}, y(2) {} int get() const; int x = {3}, y; }; } int f(char const* s, unsigned n); }
      template <class T, std::size_t N = 4> class W { public: T take(const T& item); }; namespace { int mine(); } extern "C" { int c(void); }`;
    expect(functions(text)).toEqual([
      "int a::b::v1::S::get() const",
      "int a::b::f(char const *; unsigned)",
      "T W::take(const T &)",
      "int c()",
    ]);
  });

  test("leaves out what it doesn't understand", () => {
    const text = `struct S { template <class T> T any(T); auto later() -> int; auto now(); friend bool operator==(S, S); operator bool() const;
      void f(int (*g)(int)); void h(int a[3]); void v(int, ...); using X = int; decltype(1) d(); MACRO(x) int m(); };`;
    expect(functions(text)).toEqual([]);
  });

  test("reads member operators, and classes within classes", () => {
    const text = `struct T { struct E { int id() const; }; int& operator[](int k) { return v[k]; } bool operator==(const T& o) const = default;
      int operator()() const; T* operator->(); T& operator++(); T& operator=(const T&) = default; operator bool() const; bool operator<=(int) const; };
      bool operator<(const T&, const T&);`;
    expect(functions(text)).toEqual([
      "int T::id() const",
      "int & T::operator[](int)",
      "bool T::operator==(const T &) const",
      "int T::operator()() const",
      "T * T::operator->()",
      "T & T::operator++()",
      "bool T::operator<=(int) const",
    ]);
  });

  test("very long declarations exhaust no stack", () => {
    const many = "a ".repeat(150_000);
    const found = (text: string) => publicFunctions(lex(text).tokens).map(({ name }) => name);
    expect(found(`struct S { int x[${many}]; int f((${many})); int g(); };`)).toContain("g");
    expect(found(`template <class T = decltype(${many})> struct S { T g(); };`)).toContain("g");
  });
});

test("public data members", () => {
  const text = `class C { int hidden; public: int a = 1, *b; std::map<int, long> c{}; unsigned d : 2; static constexpr int e[2] = {1, 2};
    struct N { bool f; }; enum K { g }; using X = int; friend class Y; private: int h; };`;
  expect(
    publicNames(lex(text).tokens).fields.map((f) => [...(f.owner.nested ?? []), f.name].join("::")),
  ).toEqual(["a", "b", "c", "d", "e", "N::f"]);
});

describe("probesFor", () => {
  const header =
    "struct Q { bool push(int v); int other(); }; int unused(); template <class T> struct W { T top(); };";

  test("asks for what the tests mention", () => {
    const tests = lex("Q q; q.push(1); W<std::pair<int, int>> w; w.top();").tokens;
    expect([...new Set(probesFor(header, tests).map(({ name }) => name))]).toEqual([
      "Q::push(int)",
      "W::top()",
    ]);
    expect(probesFor(header, tests).some(({ text }) => text.includes("W<std :: pair < int , int >>"))).toBe(
      true,
    );
  });

  test("asks for operators, loops and members that the tests use, also of classes that they don't name", () => {
    const text = `struct E { int key; int unused; }; struct O { int key; };
      struct T { E& operator[](int k); bool operator<(int) const; int* begin(); int* end(); };`;
    const tests = lex("void f() { T t; assert(t[1].key == 2); for (auto& x : t) use(x); }").tokens;
    expect(new Set(probesFor(text, tests).map(({ name }) => name))).toEqual(
      new Set(["E::key", "T::operator[](int)", "T::begin()", "T::end()"]),
    );
  });

  test("asks with literals, and with those that the tests give", () => {
    const tests = lex(String.raw`slug("a\n\x41"); slug("b", -1, 'c', true); slug(name); slug();`).tokens;
    const calls = probesFor("int slug(const std::string& s);", tests).map(({ call }) => call);
    const start = "slug(const std::string&) ";
    for (const list of [
      "const ho_plain<ho_p0>&",
      "ho_literal<double, ho_p0>",
      "const char (&)[4]",
      "const char (&)[2], decltype(1), char, bool",
    ])
      expect(calls).toContain(`${start}${list}`);
  });

  test("writes a unit of the test's directives and one line for each probe, under names of ours", () => {
    const probes = probesFor(header, lex("Q q; q.push(1);").tokens);
    const unit = probeUnit(
      '#include "q.hpp"\nint main() { Q q; }\n#define A \\\n  1\n',
      [undefined, ...probes],
      "5a17",
    );
    expect(unit).toContain('#include "q.hpp"\n#define A \\\n  1\n');
    expect(unit).not.toContain("main");
    expect(unit).toContain('#line 2 "=probe"');
    expect(unit).not.toMatch(/\bho_/);
  });
});

describe("answers", () => {
  const symbols = (...names: string[]) => ({ symbols: names.map((name) => ({ name }) as ElfSymbol) });

  test("are the types in the names of symbols, under our salt alone", () => {
    const found = answersIn(
      symbols(
        "_Z15ho5a17_answer_0IRiLb1EEvv",
        "_Z15ho5a17_answer_1I10ho5a17_noneLb0EEvv",
        "_Z15ho5a17_answer_2IN4text5WordsELb0EEvv",
        "_Z15ho0000_answer_3IiLb1EEvv",
        "main",
      ),
      "5a17",
    );
    expect([...found]).toEqual([
      [0, { type: "Ri", asDeclared: true }],
      [2, { type: "N4text5WordsE", asDeclared: false }],
    ]);
  });

  const iterator = "N9__gnu_cxx17__normal_iteratorIPKN5TableIiE5EntryESt6vectorIS4_SaIS4_EEEE";
  test.each([
    ["i", "l"],
    ["Rj", "Rm"],
    [iterator, "St20_List_const_iteratorIN5TableIiE5EntryEE"],
    ["St6vectorIiSaIiEE", "NSt7__cxx114listINS_12basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EEE"],
    ["St6vectorI5EntrySaIS1_EE", "St5arrayI5EntryLm4EE"],
  ])("%s may become %s behind the same name, but not by another overload", (before, type) => {
    expect(mayReplace(before, { type, asDeclared: true })).toBe(true);
    expect(mayReplace(before, { type, asDeclared: false })).toBe(false);
  });

  test("a value may become const, a reference may not lose it", () => {
    const of = (before: string, type: string) => mayReplace(before, { type, asDeclared: false });
    expect([of("St6vectorIiSaIiEE", "KSt6vectorIiSaIiEE"), of("RKi", "Ri"), of("i", "RKi")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each([
    ["St6vectorIiSaIiEE", "N4text5WordsE"],
    ["St6vectorIiSaIiEE", "St6vectorI9AgreeableSaIS1_EE"],
    ["St6vectorIiSaIiEE", "St4pairIi3YesE"],
    ["i", "4CellIiE"],
    ["b", "St17integral_constantIbLb1EE"],
    ["i", "Ri"],
    [iterator, "N9__gnu_cxx17__normal_iteratorIP3YesSt6vectorIS1_SaIS1_EEEE"],
    ["N4text3FooE", "N4text3FooIN1S3_4listIiEEE"],
  ])("%s may not become %s", (before, type) =>
    expect(mayReplace(before, { type, asDeclared: true })).toBe(false),
  );
});

test("names of signatures hold nothing that a manifest could not repeat", () => {
  const tests = lex("f({}, 1);").tokens;
  const header = "std::pair<a::B, const int*> f(const std::map<a::B, int>& m, unsigned long n);";
  expect(probesFor(header, tests)[0]).toMatchObject({
    name: "f(const std::map<a::B, int>&, unsigned long)",
    message: "a call no longer gives std::pair<a::B, const int*>",
  });
});

test("an entry of allow counts whatever spaces it has", () => {
  const hit = { kind: "signature", detail: "f(a::B, const int&)" };
  expect(withoutAllowed([hit], ["signature:f(a :: B, const int &)"])).toEqual([]);
  expect(withoutAllowed([hit], ["signature:f"])).toEqual([hit]);
});
