import { describe, expect, test } from "vitest";
import { publicFunctions } from "./declarations.ts";
import { lex } from "./lexer.ts";
import { probesFor, probeUnit } from "./signatures.ts";

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
