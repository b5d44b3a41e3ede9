/** The two system call filters of the run sandbox, as classic BPF for seccomp. */
import { GraderError } from "../model/errors.ts";
import { allow, assemble, byNumber, kill, loadArch, loadNumber, type Program, when } from "./seccomp-bpf.ts";
import { type InnerOptions, innerRules } from "./seccomp-inner.ts";
import { type OuterOptions, outerRules } from "./seccomp-outer.ts";
import { type Rules, unknown } from "./seccomp-rules.ts";
import { type SyscallTable, syscallTables } from "./seccomp-syscalls.ts";

/**
 * For everything in the run sandbox, from bubblewrap's last step on.
 *
 * @throws GraderError 69 on an architecture without a table.
 */
export function outerFilter(options: OuterOptions & { readonly arch?: string } = {}): Buffer {
  return compile(outerRules(options), allow, options.arch);
}

/**
 * For candidate code, set by the launcher when everything is mapped. The launcher replaces 0x7fffaaaa
 * by the process's own id.
 *
 * @throws GraderError 69 on an architecture without a table.
 */
export function innerFilter(options: InnerOptions & { readonly arch?: string } = {}): Buffer {
  return compile(innerRules(options), unknown, options.arch);
}

function compile(rules: Rules, otherwise: Program, arch: string = process.arch): Buffer {
  const table = syscallTables[arch];
  if (table === undefined)
    throw new GraderError(69, `no system call filter for this architecture · ${arch}`, {
      hint: `grade on one of: ${Object.keys(syscallTables).join(", ")}`,
    });
  const byName = byNumber(numbered(rules, table), otherwise);
  const { foreignFrom } = table;
  const native = foreignFrom === undefined ? byName : when({ op: "atLeast", k: foreignFrom }, kill, byName);
  // Calls made in another architecture's way (int 0x80) have other numbers: nothing honest makes them.
  return assemble(loadArch(when({ op: "equals", k: table.audit }, loadNumber(native), kill)));
}

/** Rules by call number; a name that this architecture lacks needs no rule, one that all lack is a slip of ours. */
function numbered(rules: Rules, table: SyscallTable): ReadonlyMap<number, Program> {
  const programs = new Map<number, Program>();
  for (const [name, program] of rules) {
    const number = table.numbers.get(name);
    if (number !== undefined) programs.set(number, program);
    else if (!Object.values(syscallTables).some(({ numbers }) => numbers.has(name)))
      throw new GraderError(70, `a system call filter names an unknown call · ${name}`);
  }
  return programs;
}
