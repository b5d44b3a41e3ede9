/** The few commands that hygiene runs, as arrays of arguments, each in the sandbox of compiles. */
import {
  type BuildStep,
  type CandidateFlags,
  harnessFlags,
  type Precompiled,
} from "../../model/build-plan.ts";

function common(flags: CandidateFlags, forTests: boolean): string[] {
  const dirs = flags.includeDirs.flatMap((dir) => ["-I", dir]);
  return [...(forTests ? ["-I", "/h"] : []), ...flags.cxxflags, ...harnessFlags, ...dirs];
}

/** Preprocesses a test unit, given through standard input, and keeps every `#define` and `#undef`. */
export function preprocessTest(flags: CandidateFlags): BuildStep {
  return {
    what: "preprocess a test unit",
    argv: [flags.compiler, ...common(flags, true), "-E", "-dD", "-x", "c++", "-", "-o", "/o/expanded"],
  };
}

export function preprocessUnit(flags: CandidateFlags, unit: string): BuildStep {
  const language = unit.endsWith(".c") ? "c" : "c++";
  return {
    what: `preprocess ${unit}`,
    argv: [flags.compiler, ...common(flags, false), "-E", "-dD", "-x", language, unit, "-o", "/o/expanded"],
  };
}

/** Compiles a unit of probes, given through standard input; its data is the answer. */
export function compileProbes(flags: CandidateFlags, precompiled: Precompiled): BuildStep {
  const before = precompiled === null ? [] : ["-include", precompiled.header];
  const argv = [...common(flags, true), "-g1", "-w", ...before, "-x", "c++", "-c", "-", "-o", "/o/probes.o"];
  return { what: "compile signature probes", argv: [flags.compiler, ...argv] };
}

/** The shell is there for the redirection alone: the text is fixed. */
export function disassemble(): BuildStep {
  return {
    what: "disassemble the candidate",
    argv: ["/bin/sh", "-c", "exec objdump -d --no-show-raw-insn /i/candidate.so > /o/code"],
  };
}
