/** The checks of `doctor` that only look: platform, Node, kernel settings, inherited limits, folders, programs. */
import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { GraderError } from "../model/errors.ts";
import { findProgram, findSandbox } from "../sandbox/sandbox.ts";
import { type Check, checkedNow } from "./doctor-check.ts";
import { inheritedFault, parseLimits } from "./inherited-limits.ts";
import { openCache } from "./open.ts";

export function machineChecks(): Check[] {
  const path = process.env.PATH ?? "";
  return [
    checkedNow("platform", platform, true),
    checkedNow("node", node),
    checkedNow("bubblewrap", () => findSandbox(path).bwrap, true),
    checkedNow("user namespaces", userNamespaces),
    checkedNow("inherited limits", inheritedLimits, true),
    checkedNow("temporary folder", () => space(tmpdir(), "TMPDIR"), true),
    checkedNow("cache", () => space(openCache().root, "HIDDEN_ORACLE_CACHE"), true),
    checkedNow("git", () => git(path)),
  ];
}

function platform(): string {
  if (process.platform === "linux") return `linux-${process.arch}`;
  throw new GraderError(69, `no sandbox on this system · ${process.platform}`, { hint: "grade on Linux" });
}

function node(): string {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return process.versions.node;
  throw new GraderError(69, `${process.versions.node} is too old`, {
    hint: "install Node.js 20.19 or newer",
  });
}

/** Kernel settings that forbid what bubblewrap needs, with the value that forbids it. */
const forbidding = [
  ["user/max_user_namespaces", "0", "user.max_user_namespaces=15000"],
  ["kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"],
  ["kernel/apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"],
] as const;

/** Whether the sandbox really comes up is for the canaries to show; here is only why it might not. */
function userNamespaces(): string | Omit<Check, "name"> {
  for (const [name, value, mend] of forbidding) {
    const file = `/proc/sys/${name}`;
    if (existsSync(file) && readFileSync(file, "utf8").trim() === value)
      return {
        status: "warn",
        detail: `${name.replace("/", ".")} is ${value}`,
        mend: `if the sandbox fails: sudo sysctl -w ${mend}`,
      };
  }
  return "allowed by the kernel's settings";
}

/** Soft limits below which grading becomes unreliable, with the `ulimit` option. */
const low = [
  ["Max cpu time", Number.POSITIVE_INFINITY, "-t"],
  ["Max file size", 1 << 30, "-f"],
  ["Max open files", 512, "-n"],
  ["Max processes", 512, "-u"],
] as const;

function inheritedLimits(): string | Omit<Check, "name"> {
  const text = readFileSync("/proc/self/limits", "latin1");
  const fault = inheritedFault(text);
  if (fault) throw fault;
  const limits = parseLimits(text);
  for (const [name, least, option] of low) {
    const soft = limits.find((limit) => limit.name === name)?.soft ?? Number.POSITIVE_INFINITY;
    if (soft < least)
      return {
        status: "warn",
        detail: `${name.toLowerCase()}: ${soft}`,
        mend: `raise it with ulimit ${option}`,
      };
  }
  return "none that gets in the way";
}

function space(folder: string, variable: string): string | Omit<Check, "name"> {
  accessSync(folder, constants.W_OK);
  const { bavail, bsize, ffree, files } = statfsSync(folder);
  const mib = Math.floor((bavail * bsize) / 1024 / 1024);
  const detail = `${folder} · ${mib >= 10_240 ? `${Math.floor(mib / 1024)} GiB` : `${mib} MiB`} free`;
  const mend = `free space there, or set ${variable} to another folder`;
  if (mib < 64 || (files > 0 && ffree < 100)) return { status: "fail", detail, mend, isVital: true };
  return mib < 512 ? { status: "warn", detail, mend } : detail;
}

function git(path: string): string | Omit<Check, "name"> {
  const found = findProgram("git", path);
  if (found !== undefined) return found;
  return { status: "warn", detail: "not on PATH", mend: "install git to grade with --git RANGE" };
}
