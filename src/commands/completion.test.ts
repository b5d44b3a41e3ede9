import { expect, test } from "vitest";
import { scriptFor } from "./completion.ts";
import { buildProgram } from "./program.ts";

const program = buildProgram({ signal: new AbortController().signal }, async () => undefined);

test.each(["bash", "zsh", "fish"])("the %s script knows every command and every option", (shell) => {
  const script = scriptFor(shell, program);
  for (const command of program.commands) {
    expect(script).toContain(command.name());
    for (const { long } of command.options) expect(script).toContain(long?.slice(2));
  }
});

test("another shell is a fault of the command line", () => {
  expect(() => scriptFor("toString", program)).toThrow("no completion for this shell · toString");
});

test("every command's help has an example and the exit codes", () => {
  for (const command of program.commands) {
    let help = "";
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    expect(help).toMatch(/\nExamples?:\n {2}/);
    expect(help).toMatch(/\nExit codes:\n {4}0 {2}/);
  }
});
