/** The set-up script against real PATHs: what it says where it cannot install anything itself. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const script = new URL("../../scripts/setup.mjs", import.meta.url);
// A computed name, because the script is plain JavaScript without types.
const setup = await import(script.href);

const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65534, gid: 65534 } : {};
const apt = setup.findProgram("apt-get", process.env.PATH ?? "");
const nobodyCanRunNode = spawnSync(process.execPath, ["--version"], { ...nobody, cwd: "/" }).status === 0;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hidden-oracle-setup-"));
  chmodSync(folder, 0o755);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts programs of this machine, under the given names, on a PATH that holds nothing else. */
function pathWith(programs: Record<string, string>): string {
  for (const [name, target] of Object.entries(programs)) symlinkSync(target, join(folder, name));
  return folder;
}

function runSetup(env: NodeJS.ProcessEnv, file = fileURLToPath(script), user: typeof nobody = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    env,
    encoding: "utf8",
    cwd: "/",
    ...user,
  });
  return { status, stdout, stderr };
}

describe("setup", () => {
  test("says nothing when everything is there", () => {
    expect(runSetup(process.env)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("names what is missing when there is no package manager", () => {
    const { status, stdout, stderr } = runSetup({});
    expect(status).toBe(69);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      "set-up failed: not installed: git, g++, bubblewrap\n" +
        "  hint: install git, g++, bubblewrap with the package manager of this machine\n",
    );
  });

  test("gives the command of a package manager that it does not run itself", () => {
    const { status, stderr } = runSetup({ PATH: pathWith({ dnf: process.execPath }) });
    expect(status).toBe(69);
    expect(stderr).toContain(`hint: run: ${isRoot ? "" : "sudo "}dnf install -y git gcc-c++ bubblewrap\n`);
  });

  test.skipIf(apt === undefined || !nobodyCanRunNode)(
    "gives the sudo command to a user who is not root",
    () => {
      const file = join(folder, "setup.mjs");
      copyFileSync(script, file);
      chmodSync(file, 0o644);
      const PATH = pathWith({ "apt-get": apt, git: process.execPath, "g++": process.execPath });
      const { status, stderr } = runSetup({ PATH }, file, nobody);
      expect(status).toBe(69);
      expect(stderr).toBe(
        "set-up failed: not installed: bubblewrap\n  hint: run: sudo apt-get install -y bubblewrap\n",
      );
    },
  );
});

describe("checkNode", () => {
  test.each(["20.19.0", "20.20.2", "22.0.0", "26.1.0"])("accepts %s", (version) => {
    expect(() => setup.checkNode(version)).not.toThrow();
  });

  test.each(["18.20.4", "20.18.3"])("refuses %s", (version) => {
    expect(() => setup.checkNode(version)).toThrow(`Node.js ${version} is too old`);
  });
});

describe("installedMatchesLock", () => {
  const lock = {
    packages: {
      "": { version: "0.1.0" },
      "node_modules/a": { version: "1.0.0" },
      "node_modules/for-another-platform": { version: "3.0.0", optional: true },
    },
  };

  test("holds when every package that this platform needs is there", () => {
    expect(setup.installedMatchesLock(lock, { packages: { "node_modules/a": { version: "1.0.0" } } })).toBe(
      true,
    );
  });

  test("fails on another version and on a missing package", () => {
    expect(setup.installedMatchesLock(lock, { packages: { "node_modules/a": { version: "1.0.1" } } })).toBe(
      false,
    );
    expect(setup.installedMatchesLock(lock, { packages: {} })).toBe(false);
  });
});

describe("namespaceHint", () => {
  test("names the kernel setting that forbids the sandbox", () => {
    const forbids = (name: string) => (wanted: string) => (wanted === name ? "1" : undefined);
    expect(setup.namespaceHint(forbids("kernel/apparmor_restrict_unprivileged_userns"))).toBe(
      "allow user namespaces: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    );
    expect(setup.namespaceHint(() => undefined)).toContain("in a container");
  });
});
