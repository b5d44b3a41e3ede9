import { expect, test } from "vitest";
import { type SandboxSpec, sandboxArgs } from "./sandbox.ts";

const spec: SandboxSpec = {
  argv: ["/bin/true"],
  binds: [
    { from: "/host/tools", to: "/tmp/tools" },
    { from: "/host/work", to: "/work", writable: true },
  ],
  cwd: "/work",
  tmpBytes: 4096,
  keepBytes: 1,
  wallMs: 1,
};
const args = (more: Partial<SandboxSpec> = {}) => sandboxArgs({ ...spec, ...more }, { status: 3 }).join(" ");

test("what is bound below /tmp comes after the file system that would cover it", () => {
  expect(args()).toMatch(/--bind \/host\/work \/work .*--tmpfs \/tmp --ro-bind \/host\/tools \/tmp\/tools/);
});

test("the network is shared only where that is asked for", () => {
  expect(args()).not.toContain("--share-net");
  expect(args({ network: true })).toContain("--unshare-all --die-with-parent --new-session");
  expect(args({ network: true })).toContain("--share-net");
});

test("the file system in memory of /dev/shm has a size", () => {
  expect(args({ proc: true, devices: true })).toContain("--size 4096 --perms 1777 --tmpfs /dev/shm");
});

test("the root is closed to writing last of all mounts", () => {
  expect(args({ proc: true, devices: true })).toMatch(/--remount-ro \/ --chdir \/work$/);
});
