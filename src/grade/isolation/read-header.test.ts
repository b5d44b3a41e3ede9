import { describe, expect, test } from "vitest";
import { proxyHeader } from "./generate-proxy.ts";
import { type Method, NotProxiedError, type PlainClass } from "./interface.ts";
import { readHeader } from "./read-header.ts";

function classOf(header: string): PlainClass {
  const item = readHeader(header).items.find(({ kind }) => kind === "class");
  if (item?.kind !== "class") throw new Error("no class");
  return item.value;
}

function methodOf(declaration: string): Method | undefined {
  return classOf(`class A { public: ${declaration} };`).methods[0];
}

function refusalOf(header: string): string {
  try {
    readHeader(header);
  } catch (error) {
    if (error instanceof NotProxiedError) return `${error.line}: ${error.message}`;
    throw error;
  }
  return "read";
}

describe("a plain class", () => {
  test("gives its constructors and functions, with bodies, comments and private parts left out", () => {
    const value = classOf(`#pragma once
#include <cstddef>
namespace shop { namespace detail { } }
namespace shop::floor {
/* class Fake { public: int x; }; */
class [[nodiscard]] Queue final {
  struct Node { int public_looking; Node() : public_looking{1} {} };
public:
  using value_type = int; // public: int y;
  enum class Mode { fifo, lifo };
  static constexpr std::size_t most = 1u << 4;
  explicit Queue(std::size_t cap = most, Mode = Mode::fifo) : cap_(cap), nodes_{nullptr} { if (cap) {} }
  Queue(const Queue&) = delete;
  Queue(Queue&& other) noexcept;
  Queue& operator=(Queue other) = delete;
  ~Queue();
  bool push(value_type value);
  [[nodiscard]] std::size_t capacity() const noexcept { return cap_; }
protected:
  int helper() { return 1; }
private:
  std::size_t cap_ = 0;
  Node* nodes_{};
  friend class QueueTest;
};
inline Queue::~Queue() { delete[] nodes_; }
}
`);
    expect(value).toMatchObject({ name: "Queue", namespaces: ["shop", "floor"], isFinal: true });
    expect(value.names).toEqual(["value_type", "Mode", "most"]);
    expect(value.constructors).toEqual([
      {
        parameters: [
          { type: "std::size_t", value: "std::size_t", fallback: "most" },
          { type: "Mode", value: "Mode", fallback: "Mode::fifo" },
        ],
        isExplicit: true,
        isNoexcept: false,
        line: 12,
      },
    ]);
    expect(
      value.methods.map(({ name, isConst, isNoexcept, line }) => [name, isConst, isNoexcept, line]),
    ).toEqual([
      ["push", false, false, 17],
      ["capacity", true, true, 18],
    ]);
  });

  test("gets a constructor only if it declares none, private ones included", () => {
    expect(classOf("struct A { };").constructors).toHaveLength(1);
    expect(classOf("class A { A(int); };").constructors).toHaveLength(0);
    expect(classOf("struct A { A(const A&); };").constructors).toHaveLength(0);
    expect(classOf("struct A { A() = default; };").constructors).toHaveLength(1);
  });

  test.each([
    ["unsigned long size() const;", "unsigned long", []],
    ["auto_ x(std::size_t);", "auto_", ["std::size_t"]],
    ["void f(unsigned int, const Item item, int const);", "void", ["unsigned int", "Item", "int"]],
    ["void f(const std::string& a, std::string_view);", "void", ["std::string", "std::string_view"]],
    ['void f(const std::string& a = std::string("a,b"), int b = (1, 2));', "void", ["std::string", "int"]],
    [
      "std::optional<std::vector<int>> f(std::pair<int, long long> p);",
      "std::optional<std::vector<int>>",
      ["std::pair<int,long long>"],
    ],
    ["const int f(void);", "int", []],
    ["std::pair<bool, double> half(double of) const;", "std::pair<bool,double>", ["double"]],
  ])("%s", (declaration, result, values) => {
    const method = methodOf(declaration);
    expect(method?.result).toBe(result);
    expect(method?.parameters.map(({ value }) => value)).toEqual(values);
  });
});

test("an include guard and spliced lines are read, and lines stay right", () => {
  const header = "#ifndef A_H\n#define A_H\n#include \\\n  <vector>\n// a \\\n comment\nint f();\n#endif\n";
  expect(refusalOf(header)).toBe("7: the function f");
  expect(readHeader("#ifndef A_H\n#define A_H\n#include <vector>\n#endif").includes).toEqual([
    "#include <vector>",
  ]);
});

test.each([
  ["struct A { int x; };", "1: A: the public data member x"],
  ["struct A {\n int x[3], y; };", "2: A: the public data member x"],
  ["class A { public: std::vector<int> all{1, 2}; };", "1: A: the public data member all"],
  ["class A { public: static int made; };", "1: A: the public data member made"],
  ["class A { public: virtual void f(); };", "1: A: a virtual function"],
  ["class A { virtual void f(); };", "1: A: a virtual function"],
  ["class A { public: void f() override; };", "1: A::f: `override` after its parameters"],
  ["class A : public B { };", "1: A: a base class"],
  ["template <class T> class A { };", "1: a template"],
  ["class A { public: template <class T> void f(T); };", "1: A: a template"],
  ["class A { public: struct B {}; };", "1: A: the nested struct B"],
  ["class A { public: static A make(); };", "1: A: the static function make"],
  ["class A { public: int operator[](int) const; };", "1: A: operator[]"],
  ["class A { public: explicit operator bool() const; };", "1: A: operator bool"],
  ["class A { friend bool operator==(const A&, const A&); };", "1: A: a friend function"],
  ["class A { public: int* f(); };", "1: A::f: the result `int*` is no value that can be sent"],
  [
    "class A { public: const int& f() const; };",
    "1: A::f: the result `const int&` is no value that can be sent",
  ],
  ["class A { public: void f(int* p); };", "1: A::f: the parameter `int* p` is no value that can be sent"],
  ["class A { public: void f(int& n); };", "1: A::f: the parameter `int& n` could be changed by the callee"],
  [
    "class A { public: void f(std::map<int, int> m); };",
    "1: A::f: the parameter `std::map<int, int> m` is no value that can be sent",
  ],
  [
    "class A { public: void f(void (*g)(int)); };",
    "1: A::f: the parameter `void (*g)(int)` is no value that can be sent",
  ],
  ["class A { public: std::string_view f(); };", "1: A::f: a view of memory that is elsewhere"],
  ["class A { public: long double f(); };", "1: A::f: the result `long double` is no value that can be sent"],
  ["int helper(int);", "1: the function helper"],
  ["extern int shared;", "1: `extern` in a header"],
  ["namespace { class A { }; }", "1: a namespace without a name"],
  ["#define LIMIT 3\nclass A { };", "1: the directive `#define LIMIT 3`"],
  ["#if X\n#endif", "1: the directive `#if X`"],
  ["class A { public: void f(", "1: a header that ends within a declaration"],
])("%s is refused", (header, why) => {
  expect(refusalOf(header)).toBe(why);
});

test("the proxy declares the same names and calls all of them remotely", () => {
  const header = readHeader(
    "#include <vector>\nnamespace n { using Item = int; class A { public: using V = long; explicit A(Item a = 3); V f(Item) const; void clear() noexcept; }; }",
  );
  expect(proxyHeader(header, 4)).toMatchInlineSnapshot(`
    "#pragma once
    #include <vector>
    #include "/k/remote.hpp"

    namespace n {
    using Item = int;
    }

    namespace n {
    class A {
    public:
        using V = long;
        explicit A(Item a0 = 3) { ::ho_remote::call<void, Item>(4u, ho_object_.number, a0); }
        ~A() { ::ho_remote::post(5u, ho_object_.number); }
        A(const A&) = delete;
        A& operator=(const A&) = delete;
        V f(Item a0) const { return ::ho_remote::call<V, Item>(6u, ho_object_.number, a0); }
        void clear() noexcept { ::ho_remote::post(7u, ho_object_.number); }

    private:
        const ::ho_remote::Handle ho_object_;
    };
    }
    "
  `);
});
