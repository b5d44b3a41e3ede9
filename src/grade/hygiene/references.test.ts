/** What lets a function write to what it is called with: casts, comparisons, parameters. */
import { describe, expect, test } from "vitest";
import { newInSources, type Surroundings } from "./tokens.ts";

const around: Surroundings = { headers: new Map(), includeDirs: ["include"], rawStrings: true };

/** What a file that a patch makes is found to hold. */
function found(text: string, path = "include/a.hpp"): string[] {
  return newInSources(new Map(), new Map([[path, text]]), around).map(
    ({ kind, detail }) => `${kind}:${detail}`,
  );
}

describe("casts that take const off", () => {
  test.each([
    ["void f(const int& a) { const_cast<int&>(a) = 0; }", "cast:const_cast"],
    ["#define WRITE(a) const_cast<int&>(a)", "cast:const_cast"],
    ["using P = int*; auto p = const_cast<const P>(this);", "cast:const_cast"],
    ["void f(const int& a) { (int&)a = 0; }", "cast:C-style cast"],
    ["void f(const int& a) { if (a) (std::uint64_t&)(a) = 0; }", "cast:C-style cast"],
    ["int f(const int& a) { return *(int*)&a; }", "cast:C-style cast"],
    ["int f(const int* a) { return ++*(int*)a; }", "cast:C-style cast"],
    ["struct A { int f() const { return ((A*)this)->n++; } int n; };", "cast:C-style cast"],
    ["using R = int&; void f(const int& a) { R(a) = 0; }", "cast:C-style cast"],
    ["typedef int& R; void f(const int& a) { (R)a = 0; }", "cast:C-style cast"],
    ["void f(const int& a) { *std::bit_cast<int*>(&a) = 0; }", "cast:bit_cast to a pointer"],
  ])("%s", (text, hit) => expect(found(text, "src/a.cpp")).toContain(hit));

  test.each([
    "struct A { int& at(); const int& at() const; int n() { return const_cast<const A&>(*this).at() + const_cast<const A*>(this)->at(); } };",
    "void f(int&) noexcept; bool g(const int& a) { return (a) & 1; } std::function<void(int&)> h; void q(char* z) { r((char*)z); }",
    "bool f(int& a, int& b) { return (a & b) != 0 && sizeof(int&) > 1; } auto l = [](int&) { return 1; };",
    "using Ref = const int&; int f(int a) { return Ref(a); } struct V { using reference = int&; reference at(int); };",
    "void f(const int& a, int b) { auto n = (std::size_t)a; auto* p = (unsigned char*)&b; }",
  ])("honest: %s", (text) => expect(found(text)).toEqual([]));
});

describe("comparisons of own types", () => {
  test.each([
    ["struct D {}; bool operator==(const D&, D&) { return true; }", "operator:operator =="],
    ["struct D {}; bool operator!=(D&&, D&&);", "operator:operator !="],
    ["struct D {}; template <class T> bool operator==(T&&, const D&);", "operator:operator =="],
    [
      "struct D {}; inline auto operator<=>(auto&& a, const D& b) { return a.n <=> b.n; }",
      "operator:operator <=>",
    ],
    ["struct D { bool operator==(D&) const { return true; } };", "operator:operator =="],
    ["struct D { bool operator==(const D&) { return true; } };", "operator:operator =="],
    ["struct D { bool operator<(const D&) const&&; };", "operator:operator <"],
    ["struct D { bool operator>=(this D& a, const D& b); };", "operator:operator >="],
    ["struct D { friend bool operator==(D& a, const D& b) { return true; } };", "operator:operator =="],
    [
      "#define EQ operator==\nstruct D { bool operator not_eq(D) { return true; } };",
      "operator:operator not_eq",
    ],
  ])("%s", (text, hit) => expect(found(text)).toContain(hit));

  test.each([
    "struct D { bool operator==(const D&) const = default; auto operator<=>(const D&) const noexcept = default; };",
    "struct D { friend bool operator==(D a, D b) { return a.n == b.n; } friend bool operator<(const D& a, D const& b); int n; };",
    "struct D { bool operator==(this const D& a, const D& b); template <class T> bool operator!=(const T& o) const { return !operator==(o); } };",
    "struct D {}; bool f(D a, D b) { return operator==(a, b) && a.operator<(b); } D& operator<<(D& d, int); D& operator>>(D& d, int& n);",
    "template <class T> struct V {}; template <class T> [[nodiscard]] constexpr bool operator==(const V<T>& a, const V<T>& b) noexcept(noexcept(a)) { return true; }",
  ])("honest: %s", (text) => expect(found(text)).toEqual([]));
});

describe("what took arguments by value", () => {
  const base =
    "namespace a { class L { public: L(int c, int r = 2) : c_(c) {} void put(int n); private: void fill(int now); int c_; }; int half(int n); template <class T> struct V { void add(T t); }; }";
  const kinds = (from: string, to: string) => {
    const after = new Map([["a.hpp", base.replace(from, to)]]);
    const tests = {
      ...around,
      testUnits: ["int main() { a::L l(1, 2); l.put(3); a::half(4); a::V<int> v; v.add(5); }"],
    };
    return newInSources(new Map([["a.hpp", base]]), after, tests).map(
      ({ kind, detail }) => `${kind}:${detail}`,
    );
  };

  test.each([
    ["L(int c, int r = 2)", "L(int& c, int r = 2)", "signature:L::L"],
    ["L(int c,", "template <class A> L(A&& c,", "signature:L::L"],
    ["L(int c,", "template <class... A> L(A&&... c); L(int c,", "signature:L::L"],
    ["L(int c,", "explicit L(auto& c); L(int c,", "signature:L::L"],
    ["L(int c,", "using R = int&; L(R c,", "signature:L::L"],
    [
      "namespace a { class L { public: L(int c,",
      "#define INT int&\nnamespace a { class L { public: L(INT c,",
      "signature:L::L",
    ],
    ["class L { public: L(int c,", "class B { public: B(int&& c,", ""],
    ["class L { public: L(int c,", "class B { public: B(int& c,", "signature:B::B"],
    ["void put(int n)", "void put(int&& n); void put(int& n)", "signature:L::put"],
    ["int half(int n)", "template <typename T> int half(T& n)", "signature:half"],
    ["int half(int n)", "int half(std::reference_wrapper<int> n)", "signature:half"],
    ["void add(T t)", "template <class U> void add(U&& t)", "signature:V::add"],
  ])("%s may not become %s", (from, to, hit) => expect(kinds(from, to)).toEqual(hit === "" ? [] : [hit]));

  test.each([
    ["L(int c, int r = 2) : c_(c)", "L(const int& c, int const& r = 2) : c_(c && r), d_(c & r)"],
    ["L(int c, int r = 2)", "explicit L(long c, int r, bool fast = true)"],
    ["void fill(int now)", "void fill(int& now); template <class F> void each(F&& f)"],
    ["void put(int n)", "void put(int n, int& out); void take(int& n)"],
    ["void add(T t)", "void add(const T& t); void add(T&& t)"],
    ["int half(int n);", "int half(int n); inline void L::half(int& n) {}"],
    ["int half(int n)", "struct W { void put(int& n); }; int half(const int n)"],
  ])("honest: %s becomes %s", (from, to) => expect(kinds(from, to)).toEqual([]));

  test("what was there is none, for packs neither", () => {
    const text =
      "struct L { void log(int a, int b, int c); template <class... A> void log(int a, A&&... rest); };";
    const of = (to: string) => newInSources(new Map([["a.hpp", text]]), new Map([["a.hpp", to]]), around);
    expect(of(`${text}\nint more;`)).toEqual([]);
    expect(of(text.replace("int c", "int& c"))).toMatchObject([{ kind: "signature", detail: "L::log" }]);
  });
});
