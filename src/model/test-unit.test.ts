import { describe, expect, test } from "vitest";
import { type IncludeWorld, includedFiles, inlineTestIncludes } from "./test-unit.ts";

const shared = new Set(["include/queue.hpp", "src/detail.hpp"]);

function world(files: Record<string, string>, includeDirs = ["include"]): IncludeWorld {
  const all: Record<string, string> = { "include/queue.hpp": "", "src/detail.hpp": "", ...files };
  return { includeDirs, isShared: (path) => shared.has(path), readFile: (path) => all[path] };
}

const unit = (text: string, files: Record<string, string> = {}) =>
  inlineTestIncludes("tests/v.cpp", text, world(files)).text;

describe("what stays as it is", () => {
  test("a test without helpers only gets a neutral name", () => {
    expect(unit('#include "queue.hpp"\n#include <cassert>\nint main() {}\n')).toBe(
      '#line 1 "=test.cpp"\n#include "queue.hpp"\n#include <cassert>\nint main() {}\n',
    );
  });

  test.each([
    ["that leads nowhere", '#include "nowhere.hpp"'],
    ["in a comment", '/*\n#include "helper.hpp"\n*/'],
    ["in a raw string", 'auto s = R"x(\n#include "helper.hpp"\n)" )x";'],
    ["by an absolute path", '#include "/etc/passwd"'],
    ["that leaves the task folder", '#include "../../x.hpp"'],
    ["by a macro", "#include HELPER"],
  ])("an include %s", (_, text) => {
    expect(unit(text, { "tests/helper.hpp": "int helper;", "../x.hpp": "int x;" })).toBe(
      `#line 1 "=test.cpp"\n${text}`,
    );
  });
});

describe("helpers", () => {
  test("beside the test are inlined, and lines are counted on", () => {
    expect(unit('int a;\n#include "helper.hpp"\nint b;', { "tests/helper.hpp": "int h;\n" })).toBe(
      '#line 1 "=test.cpp"\nint a;\n#line 1 "=helper1.hpp"\nint h;\n\n#line 3 "=test.cpp"\nint b;',
    );
  });

  test("include each other by their own folders", () => {
    const files = { "tests/lib/a.hpp": '#include "b.hpp"', "tests/lib/b.hpp": "int b;" };
    const { text, files: inlined } = inlineTestIncludes("tests/v.cpp", '#include "lib/a.hpp"', world(files));
    expect(text).toContain("int b;");
    expect(inlined).toEqual([
      { path: "tests/v.cpp", name: "=test.cpp" },
      { path: "tests/lib/a.hpp", name: "=helper1.hpp" },
      { path: "tests/lib/b.hpp", name: "=helper2.hpp" },
    ]);
  });

  test("are found in include folders too, in quotes or angle brackets", () => {
    expect(
      unit('#include "h.hpp"\n#include <h.hpp>', { "include/h.hpp": "int h;" }).match(/int h;/g),
    ).toHaveLength(2);
  });

  test("after a comment or string that only looks like an opener are still seen", () => {
    for (const before of [
      "// /*",
      'auto s = "/*";',
      "char c = '\"'; // R\"(",
      "/* one line */",
      "auto n = 10'000; /* a */",
      'auto r = R"(/*)";',
    ]) {
      expect(unit(`${before}\n#include "h.hpp"`, { "tests/h.hpp": "int h;" }), before).toContain("int h;");
    }
  });

  test("keep CRLF line ends", () => {
    expect(unit('#include "h.hpp"\r\nint a;\r\n', { "tests/h.hpp": "int h;\r\n" })).toContain("int h;\r\n");
  });

  test("with #pragma once get a guard, so that an inactive #if doesn't swallow them", () => {
    const text = unit('#if 0\n#include "h.hpp"\n#endif\n#include "h.hpp"', {
      "tests/h.hpp": "#pragma once\nint h;",
    });
    expect(
      text.match(
        /#ifndef TEST_HELPER1_HPP_ONCE\n#define TEST_HELPER1_HPP_ONCE\n#line 1 "=helper1.hpp"\n\nint h;\n#endif/g,
      ),
    ).toHaveLength(2);
  });

  test("that include each other in a ring come to an end", () => {
    const once = {
      "tests/a.hpp": '#pragma once\n#include "b.hpp"\nint a;',
      "tests/b.hpp": '#pragma once\n#include "a.hpp"\nint b;',
    };
    expect(unit('#include "a.hpp"', once).match(/int [ab];/g)).toEqual(["int b;", "int a;"]);
    const guarded = { "tests/a.hpp": '// a\n#ifndef A\n#define A\n#include "a.hpp"\nint a;\n#endif' };
    expect(unit('#include "a.hpp"', guarded).match(/int a;/g)).toHaveLength(1);
  });

  test("that include themselves without a guard are a fault of the task", () => {
    expect(() => unit('#include "a.hpp"', { "tests/a.hpp": '#include "a.hpp"' })).toThrow(
      "test includes are nested more than 32 deep · tests/v.cpp",
    );
  });
});

describe("files that the compiler finds by itself", () => {
  test("are rewritten only where the compiler would not find them as written", () => {
    expect(unit('#include "../include/queue.hpp" // the queue')).toContain(
      '#include "include/queue.hpp" // the queue',
    );
    expect(unit('#include "../src/detail.hpp"')).toContain('#include "src/detail.hpp"');
    expect(unit('#include "queue.hpp"')).toContain('#include "queue.hpp"');
  });

  test("are rewritten within helpers as well", () => {
    expect(
      unit('#include "lib/a.hpp"', { "tests/lib/a.hpp": '#include "../../include/queue.hpp"' }),
    ).toContain('#include "include/queue.hpp"');
  });
});

test("the files that a text includes are told, resolved", () => {
  expect(
    includedFiles(
      "src/a.cpp",
      '#include "detail.hpp"\n#include <queue.hpp>\n// #include "x"\n#include <vector>',
      world({}),
    ),
  ).toEqual(["src/detail.hpp", "include/queue.hpp"]);
});
