/** The command lines of `seal` and `unseal`. */
import type { Command } from "commander";
import { faultHelp } from "./help.ts";
import { type Go, identityOption, taskOption } from "./options.ts";

const append = (value: string, all: readonly string[]) => [...all, value];

export function addSeal(program: Command, go: Go): void {
  program
    .command("seal")
    .summary("encrypt the oracle at rest, for those who hold a key")
    .description(
      "Replaces the files of the hidden and reserve layers by age files (FILE.age). Whoever grades names the key in HIDDEN_ORACLE_IDENTITY_FILE, HIDDEN_ORACLE_IDENTITY or --identity.",
    )
    .addOption(taskOption())
    .option(
      "-r, --recipient <AGE1…>",
      "the public key of somebody who may open it; may be repeated",
      append,
      [],
    )
    .option("-R, --recipients-file <FILE>", "public keys, one a line")
    .option("--new-identity <FILE>", "make a new key, write it there, and seal for it")
    .option("--answers", "seal the recorded patches as well")
    .addHelpText(
      "after",
      `\nExamples:\n  hidden-oracle seal --new-identity ~/oracle.key --answers\n  hidden-oracle seal -r age1…\n  HIDDEN_ORACLE_IDENTITY_FILE=~/oracle.key hidden-oracle grade fix.diff\n${faultHelp([[0, "the oracle is sealed; the names of the files are printed"]])}`,
    )
    .action((flags) => go(import("./seal.ts").then(({ sealCommand }) => sealCommand(flags))));
  program
    .command("unseal")
    .summary("put the sealed files back as they were")
    .description("Decrypts what `seal` encrypted, in place.")
    .addOption(taskOption())
    .addOption(identityOption())
    .addHelpText(
      "after",
      `\nExample:\n  hidden-oracle unseal --identity ~/oracle.key\n${faultHelp([[0, "the files are readable again; their names are printed"]])}`,
    )
    .action((flags) => go(import("./seal.ts").then(({ unsealCommand }) => unsealCommand(flags))));
}
