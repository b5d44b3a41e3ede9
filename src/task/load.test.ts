import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GraderError } from "../model/errors.ts";
import { findTask, loadTask } from "./load.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "task-")));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const queue = {
  id: "queue",
  sources: ["include/queue.hpp", "src/queue.cpp"],
  visible: "tests/visible.cpp",
  hidden: "oracles/hidden.cpp",
};
const files: Record<string, string> = {
  "include/queue.hpp": "#pragma once\n",
  "src/queue.cpp": '#include "queue.hpp"\n',
  "tests/visible.cpp": '#include "queue.hpp"\nint main() {}\n',
  "oracles/hidden.cpp": '#include "queue.hpp"\n#include "model.hpp"\nint main() {}\n',
  "oracles/model.hpp": "struct Model {};\n",
};

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function task(manifest: object = {}, more: Record<string, string> = {}): string {
  for (const [path, text] of Object.entries({ ...files, ...more })) write(path, text);
  write("manifest.json", JSON.stringify({ ...queue, ...manifest }, null, 1));
  return root;
}

async function fault(path: string): Promise<string> {
  try {
    await loadTask(path);
  } catch (error) {
    if (!(error instanceof GraderError)) throw error;
    const { exit, location, message, hint } = error;
    const place = location === undefined ? "" : `${location.file}:${location.line}:${location.column}: `;
    return `${exit} ${place}${message}${hint === undefined ? "" : `\nhint: ${hint}`}`.replaceAll(
      root,
      "TASK",
    );
  }
  return "no fault";
}

describe("a task that is right", () => {
  test("is read whole", async () => {
    const loaded = await loadTask(
      task({ prompt: "p.md", reference: "good.diff" }, { "p.md": "Mend it.", "good.diff": "--- a\n" }),
    );
    expect(loaded).toMatchObject({
      root,
      manifestPath: join(root, "manifest.json"),
      id: "queue",
      includeDirs: ["include"],
      units: ["src/queue.cpp"],
      prompt: "Mend it.",
      reference: { path: "good.diff", bytes: "--- a\n" },
      notes: [],
    });
    expect([...loaded.sources.keys()]).toEqual(["include/queue.hpp", "src/queue.cpp"]);
    expect(loaded.layers.hidden[0]).toMatchObject({
      name: "hidden",
      sanitizers: ["address", "undefined"],
      cxxflags: ["-fsanitize=address,undefined", "-O1", "-g"],
    });
  });

  test("may be named by its manifest", async () => {
    expect((await loadTask(join(task(), "manifest.json"))).root).toBe(root);
  });

  test("keeps every byte of its files", async () => {
    writeFileSync(join(task(), "src/queue.cpp"), Buffer.from([0xff, 0x0d, 0x0a, 0xc3, 0x28]));
    const bytes = (await loadTask(root)).sources.get("src/queue.cpp") ?? "";
    expect(Buffer.from(bytes, "latin1")).toEqual(Buffer.from([0xff, 0x0d, 0x0a, 0xc3, 0x28]));
  });

  test("has the oracle's helpers inlined and not among the headers", async () => {
    const loaded = await loadTask(
      task({ include: ["include", "oracles"] }, { "include/other.hpp": "int other;" }),
    );
    expect(loaded.layers.hidden[0]?.sources[0]?.unit).toContain("struct Model {};");
    expect([...loaded.headers.keys()]).toEqual(["include/other.hpp"]);
  });

  test("has headers beside its sources, and those that sources include, among the headers", async () => {
    const more = {
      "src/detail.hpp": "",
      "src/queue.cpp": '#include "../common/x.hpp"\n',
      "common/x.hpp": '#include "y.hpp"',
      "common/y.hpp": "",
      "common/z.hpp": "",
      "src/notes.md": "",
    };
    expect([...(await loadTask(task({}, more))).headers.keys()]).toEqual([
      "common/x.hpp",
      "common/y.hpp",
      "src/detail.hpp",
    ]);
  });

  test("may lie flat in one folder: a helper of the tests is still no header", async () => {
    const flat = { sources: ["q.hpp", "q.cpp"], visible: "v.cpp", hidden: "h.cpp" };
    const more = {
      "q.hpp": '#include "used.hpp"',
      "q.cpp": "",
      "used.hpp": "",
      "v.cpp": "",
      "h.cpp": '#include "secret.hpp"',
      "secret.hpp": "int secret;",
    };
    const loaded = await loadTask(task(flat, more));
    expect([...loaded.headers.keys()]).toEqual(["used.hpp"]);
    expect(loaded.layers.hidden[0]?.sources[0]?.unit).toContain("int secret;");
  });

  test("may have globs that match nothing yet", async () => {
    const loaded = await loadTask(
      task({ sources: ["src/**", "extra/*.cpp"] }, { "src/deep/x.cpp": "", "src/.hidden.cpp": "" }),
    );
    expect([...loaded.sources.keys()]).toEqual(["src/deep/x.cpp", "src/queue.cpp"]);
  });

  test("may have cases in a folder", async () => {
    const loaded = await loadTask(
      task(
        { hidden: { cases: "data" } },
        { "data/2.in": "b", "data/2.ans": "B", "data/1.in": "a", "data/1.ans": "A" },
      ),
    );
    expect(loaded.layers.hidden[0]?.cases).toEqual([
      { name: "1", args: [], stdin: "a", stdout: "A", exitCode: 0 },
      { name: "2", args: [], stdin: "b", stdout: "B", exitCode: 0 },
    ]);
  });

  test("notes what was dropped, once", async () => {
    expect((await loadTask(task({ cxxflags: ["-DNDEBUG"] }))).notes).toEqual([
      "-DNDEBUG is dropped: assertions stay live",
    ]);
  });
});

describe("digests", () => {
  const digests = async () => {
    const { digest, oracleDigest } = await loadTask(root);
    return { digest, oracleDigest };
  };

  test("stay the same while nothing changes but comments of the manifest", async () => {
    const before = await digestsOf(() => task());
    write("manifest.json", `// a comment\n${JSON.stringify({ ...queue, scope: "reject" })}`);
    expect(await digests()).toEqual(before);
  });

  test.each<[string, () => void, boolean]>([
    ["a source", () => write("src/queue.cpp", "x"), false],
    ["a limit", () => task({ limits: { cpuSeconds: 3 } }), true],
    ["the visible test", () => write("tests/visible.cpp", "x"), false],
    ["the oracle", () => write("oracles/hidden.cpp", "x"), true],
    ["a helper of the oracle", () => write("oracles/model.hpp", "x"), true],
    ["a flag", () => task({ cxxflags: ["-O3"] }), true],
  ])("change with %s", async (_, change, oracleToo) => {
    const before = await digestsOf(() => task());
    change();
    const after = await digests();
    expect(after.digest).not.toBe(before.digest);
    expect(after.oracleDigest !== before.oracleDigest).toBe(oracleToo);
  });

  async function digestsOf(set: () => void): Promise<{ digest: string; oracleDigest: string }> {
    set();
    return digests();
  }
});

describe("a task that is wrong says what, where, and what next", () => {
  test.each<[string, () => void]>([
    ["an oracle that is missing", () => task({ hidden: "oracles/hiden.cpp" })],
    [
      "several missing files",
      () =>
        task({
          prompt: "p.md",
          calibration: { "patches/x.diff": "OVERFIT" },
          hidden: { sources: ["a.cpp"], stdin: { file: "in.txt" } },
        }),
    ],
    ["a source that is a folder", () => task({ sources: ["src"] })],
    ["globs that match nothing", () => task({ sources: ["lib/*.cpp"] })],
    ["an include folder that is missing", () => task({ include: ["third"] })],
    ["cases without input", () => task({ hidden: { cases: "data" } })],
    ["a case without its answer", () => task({ hidden: { cases: "data" } }, { "data/1.in": "" })],
    [
      "input that is the name of a file",
      () => task({ hidden: { source: "oracles/hidden.cpp", stdin: "in.txt" } }, { "in.txt": "" }),
    ],
    [
      "a syntax error",
      () => {
        task();
        write("manifest.json", '{\n  "id": "x",\n}');
      },
    ],
    [
      "a manifest that is not UTF-8",
      () => {
        task();
        writeFileSync(join(root, "manifest.json"), Buffer.from([0x7b, 0xff]));
      },
    ],
    ["a folder without a manifest", () => undefined],
    [
      "a source that is a link",
      () => {
        task({ sources: ["src/link.cpp"] });
        symlinkSync("queue.cpp", join(root, "src/link.cpp"));
      },
    ],
    [
      "a link among the files of a glob",
      () => {
        task({ sources: ["src/*.cpp"] });
        symlinkSync("queue.cpp", join(root, "src/link.cpp"));
      },
    ],
    [
      "an oracle that is a link out of the task",
      () => {
        task({ hidden: "out.cpp" });
        symlinkSync("/dev/null", join(root, "out.cpp"));
      },
    ],
    [
      "a file that is too large",
      () => {
        task();
        truncateSync(join(root, "src/queue.cpp"), 8 * 1024 * 1024 + 1);
      },
    ],
  ])("%s", async (_, set) => {
    set();
    expect(await fault(root)).toMatchSnapshot();
  });

  test("a manifest that doesn't exist", async () => {
    expect(await fault(join(root, "nowhere"))).toBe(
      "66 no such task folder or manifest · TASK/nowhere\nhint: name a folder that holds manifest.json",
    );
  });

  test.skipIf(process.getuid?.() === 0)("a file that may not be read", async () => {
    chmodSync(join(task(), "oracles/hidden.cpp"), 0);
    expect(await fault(root)).toContain('file in hidden can\'t be read (EACCES) · "oracles/hidden.cpp"');
  });
});

describe("findTask", () => {
  test("finds the nearest manifest upward", () => {
    task();
    write("a/b/c", "");
    expect(findTask(join(root, "a/b"))).toBe(join(root, "manifest.json"));
    write("a/manifest.json", "{}");
    expect(findTask(join(root, "a/b"))).toBe(join(root, "a/manifest.json"));
  });

  test("says so where there is none", () => {
    expect(() => findTask(root)).toThrow(/^no manifest.json in this folder or above it · /);
  });
});
