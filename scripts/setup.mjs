#!/usr/bin/env node
/**
 * Makes a fresh checkout ready to run: Node, compiler, sandbox, packages. Plain Node, because it runs before
 * `node_modules` exists. Says nothing when all is there.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The uid and gid of `nobody`: graded code never runs as root, so the sandbox is tried without it too. */
const unprivileged = 65534;

/** Exit code of a missing program or protection, the same as the command line's own. */
const unavailable = 69;

/** What the product runs on, in the words of Debian's packages. */
const needs = [
  { program: "git", package: "git" },
  { program: "g++", package: "g++" },
  { program: "bwrap", package: "bubblewrap" },
];

/** Commands of package managers that we name but do not run. */
const installers = [
  ["apt-get", "apt-get install -y"],
  ["dnf", "dnf install -y"],
  ["zypper", "zypper install -y"],
  ["pacman", "pacman -S --noconfirm"],
  ["apk", "apk add"],
];

/** Names of the compiler's package where they differ from Debian's. */
const compilerPackage = { dnf: "gcc-c++", zypper: "gcc-c++", pacman: "gcc" };

/** What stops the set-up: `message` says what happened and names the value, `hint` is the next step. */
export class SetupError extends Error {
  constructor(message, hint) {
    super(message);
    this.hint = hint;
  }
}

/** Throws when `version` (as in `20.19.0`) is older than what package.json asks for. */
export function checkNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(
    `Node.js ${version} is too old`,
    "install Node.js 20.19 or newer, then run this again",
  );
}

/** Throws where the sandbox cannot exist at all. */
export function checkPlatform(platform) {
  if (platform === "linux") return;
  throw new SetupError(
    `the sandbox needs Linux, this is ${platform}`,
    "run it in a Linux container or virtual machine",
  );
}

/** The full path of a program on `path` (a PATH value), or undefined. */
export function findProgram(name, path) {
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The packages whose program is not on `path`. */
export function missingPackages(path) {
  return needs.filter((need) => findProgram(need.program, path) === undefined).map((need) => need.package);
}

/** The line that a person can paste to install `packages`, for whichever package manager is on `path`. */
export function installCommand(packages, path, isRoot) {
  const found = installers.find(([program]) => findProgram(program, path) !== undefined);
  if (found === undefined) return undefined;
  const [program, command] = found;
  const names = packages.map((name) => (name === "g++" ? (compilerPackage[program] ?? name) : name));
  return `${isRoot ? "" : "sudo "}${command} ${names.join(" ")}`;
}

/** Installs what is missing when it may, and otherwise throws with the command that does. */
export function ensurePrograms(path, isRoot) {
  const missing = missingPackages(path);
  if (missing.length === 0) return;
  const apt = findProgram("apt-get", path);
  if (isRoot && apt !== undefined) {
    installWithApt(missing);
    return;
  }
  const command = installCommand(missing, path, isRoot);
  const hint = command ?? `install ${missing.join(", ")} with the package manager of this machine`;
  throw new SetupError(`not installed: ${missing.join(", ")}`, command === undefined ? hint : `run: ${hint}`);
}

function installWithApt(packages) {
  note(`installing ${packages.join(", ")} with apt-get`);
  const listed = packages.every(hasCandidate);
  if (!listed) apt("update");
  // Old package lists name files that the mirror no longer has: refresh them once, then believe the failure.
  const done = install(packages) || (listed && apt("update") && install(packages));
  if (!done) {
    const command = `apt-get update && apt-get install -y ${packages.join(" ")}`;
    throw new SetupError(
      `apt-get could not install ${packages.join(", ")}`,
      `see its output above, or run: ${command}`,
    );
  }
}

function install(packages) {
  return apt("install", "-y", "--no-install-recommends", ...packages);
}

function hasCandidate(name) {
  const { stdout } = spawnSync("apt-cache", ["policy", name], { encoding: "utf8", env: englishEnv() });
  return /^ *Candidate: (?!\(none\))/m.test(stdout ?? "");
}

/** Runs apt-get with its output on stderr; waits for another apt to finish rather than fail on its lock. */
function apt(...args) {
  const argv = ["-q", "-o", "DPkg::Lock::Timeout=300", ...args];
  const env = { ...englishEnv(), DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", argv, { stdio: ["ignore", 2, 2], env }).status === 0;
}

function englishEnv() {
  return { ...process.env, LC_ALL: "C" };
}

/**
 * Whether npm's record of what it installed (`node_modules/.package-lock.json`) holds every package of the lock
 * file in its version. Packages for other platforms are optional and may be absent.
 */
export function installedMatchesLock(lock, installed) {
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === "" || wanted.optional || wanted.devOptional) return true;
    return installed.packages[path]?.version === wanted.version;
  });
}

/** Runs `npm ci` when `node_modules` is missing or not what the lock file says. */
export function ensureModules(folder) {
  const lock = readJson(join(folder, "package-lock.json"));
  const installed = readJson(join(folder, "node_modules", ".package-lock.json"));
  if (lock === undefined)
    throw new SetupError("package-lock.json is missing", "restore it with: git checkout package-lock.json");
  if (installed !== undefined && installedMatchesLock(lock, installed)) return;
  note("installing npm packages (npm ci)");
  const { status, error } = spawnSync("npm", ["ci", "--no-progress"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) return;
  const why = error === undefined ? `exit status ${status}` : error.message;
  throw new SetupError(`npm ci failed: ${why}`, "see its output above, mend that, then run this again");
}

/** The parsed file, or undefined when it is missing or cut short. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Throws unless bubblewrap can make a sandbox here for a user without privileges. */
export function checkSandbox(path, isRoot) {
  const bwrap = findProgram("bwrap", path) ?? "bwrap";
  const asNobody = isRoot ? { uid: unprivileged, gid: unprivileged } : {};
  const options = { cwd: "/", encoding: "utf8", timeout: 10_000, ...asNobody };
  const tried = spawnSync(bwrap, ["--ro-bind", "/", "/", "--unshare-pid", "true"], options);
  if (tried.status === 0) return;
  const said = tried.error?.message ?? (tried.stderr.trim() || `exit status ${tried.status ?? tried.signal}`);
  throw new SetupError(`bubblewrap cannot make a sandbox here: ${said}`, namespaceHint(readSysctl));
}

/** How to allow user namespaces, by the first kernel setting that forbids them. */
export function namespaceHint(read) {
  const set = (setting) => `allow user namespaces: sudo sysctl -w ${setting}`;
  if (read("user/max_user_namespaces") === "0") return set("user.max_user_namespaces=15000");
  if (read("kernel/unprivileged_userns_clone") === "0") return set("kernel.unprivileged_userns_clone=1");
  if (read("kernel/apparmor_restrict_unprivileged_userns") === "1") {
    return set("kernel.apparmor_restrict_unprivileged_userns=0");
  }
  return "in a container, start it so that user namespaces are allowed, with Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined";
}

function readSysctl(name) {
  try {
    return readFileSync(join("/proc/sys", name), "utf8").trim();
  } catch {
    return undefined;
  }
}

function note(text) {
  process.stderr.write(`set-up: ${text}\n`);
}

function main() {
  const path = process.env.PATH ?? "";
  const isRoot = process.getuid?.() === 0;
  checkNode(process.versions.node);
  checkPlatform(process.platform);
  ensurePrograms(path, isRoot);
  checkSandbox(path, isRoot);
  ensureModules(root);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`set-up failed: ${error.message}\n  hint: ${error.hint}\n`);
    process.exitCode = unavailable;
  }
}
