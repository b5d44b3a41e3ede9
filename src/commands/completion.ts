/** `completion`: a script for a shell, made from the command tree itself. */
import type { Command, Option } from "commander";
import { ExitCode, GraderError } from "../model/errors.ts";
import { writeOut } from "./terminal.ts";

/** One command as a completion script needs it. */
interface Spec {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly {
    readonly flags: readonly string[];
    readonly text: string;
    readonly option: Option;
  }[];
}

const writers: Readonly<Record<string, (specs: readonly Spec[]) => string>> = { bash, zsh, fish };

/** Prints the script. @throws GraderError 64 for an unknown shell. */
export async function completionCommand(shell: string, program: Command): Promise<number> {
  await writeOut(scriptFor(shell, program));
  return 0;
}

/** The script for a shell, of all commands of a program. @throws GraderError 64 for an unknown shell. */
export function scriptFor(shell: string, program: Command): string {
  const writer = Object.hasOwn(writers, shell) ? writers[shell] : undefined;
  if (writer !== undefined) return writer(specsOf(program));
  throw new GraderError(ExitCode.usage, `no completion for this shell · ${shell}`, {
    hint: `one of ${Object.keys(writers).join(", ")}`,
  });
}

function specsOf(program: Command): Spec[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    options: [...command.options, ...helpOption].map((option) => ({
      flags: [option.long, option.short].filter((flag) => typeof flag === "string"),
      text: option.description.replace(/ \(.*/, ""),
      option,
    })),
  }));
}

const helpOption = [
  { long: "--help", short: "-h", description: "print help", flags: "-h, --help" },
] as Option[];

/** What an option wants after it. */
function valuesOf(option: Option): "folder" | "file" | "words" | "any" | "none" {
  if (!/[<[]/.test(option.flags)) return "none";
  if (option.argChoices) return "words";
  if (/<(DIR)>/.test(option.flags)) return "folder";
  return /<FILE>/.test(option.flags) ? "file" : "any";
}

function bash(specs: readonly Spec[]): string {
  const cases = specs.map(({ name, options }) => {
    const flags = options.flatMap((o) => o.flags).join(" ");
    return `    ${name}) words="${name === "completion" ? `${flags} ${Object.keys(writers).join(" ")}` : flags}" ;;`;
  });
  const values = new Map<string, string>();
  for (const { flags, option } of specs.flatMap((spec) => spec.options)) {
    const kind = valuesOf(option);
    if (kind === "folder") for (const flag of flags) values.set(flag, "compopt -o dirnames; return");
    if (kind === "any") for (const flag of flags) values.set(flag, "return");
    const words = option.argChoices?.join(" ");
    if (words)
      for (const flag of flags)
        values.set(flag, `COMPREPLY=($(compgen -W "${words}" -- "$current")); return`);
  }
  return `# bash completion for hidden-oracle
_hidden_oracle() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${specs.map(({ name }) => name).join(" ")} help --help --version" -- "$current"))
    return
  fi
  case $before in
${[...values].map(([flag, what]) => `    ${flag}) ${what} ;;`).join("\n")}
  esac
  case \${COMP_WORDS[1]} in
${cases.join("\n")}
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) [ "\${COMP_WORDS[1]}" = completion ] && COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -o default -F _hidden_oracle hidden-oracle
`;
}

function zsh(specs: readonly Spec[]): string {
  const plain = (text: string) => text.replace(/['[\]:\\]/g, " ");
  const action = (option: Option) => {
    const words = option.argChoices?.join(" ");
    const after = { folder: ":folder:_files -/", file: ":file:_files", words: `:word:(${words})` };
    const kind = valuesOf(option);
    if (kind === "none") return "";
    return kind === "any" ? ":value:" : after[kind];
  };
  const cases = specs.map(({ name, options }) => {
    const rows = options.flatMap(({ flags, text, option }) =>
      flags.map((flag) => `'${flag}[${plain(text)}]${action(option)}'`),
    );
    const last = name === "completion" ? `'*:shell:(${Object.keys(writers).join(" ")})'` : "'*:file:_files'";
    return `    ${name}) _arguments ${[...rows, last].join(" ")} ;;`;
  });
  return `#compdef hidden-oracle
_hidden_oracle() {
  if (( CURRENT == 2 )); then
    local -a commands=(${specs.map(({ name, summary }) => `'${name}:${plain(summary)}'`).join(" ")})
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_hidden_oracle" ]; then _hidden_oracle "$@"; else compdef _hidden_oracle hidden-oracle; fi
`;
}

function fish(specs: readonly Spec[]): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const line = (name: string, { flags, text, option }: Spec["options"][number]) => {
    const named = flags.map((flag) =>
      flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    const kind = valuesOf(option);
    const words = option.argChoices?.join(" ");
    const after = {
      folder: " -x -a '(__fish_complete_directories)'",
      file: " -r",
      any: " -x",
      none: "",
      words: ` -x -a ${quoted(words ?? "")}`,
    };
    return `complete -c hidden-oracle -n '__fish_seen_subcommand_from ${name}' ${named.join(" ")} -d ${quoted(text)}${after[kind]}`;
  };
  return [
    "# fish completion for hidden-oracle",
    ...specs.map(
      ({ name, summary }) =>
        `complete -c hidden-oracle -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...specs.flatMap(({ name, options }) => options.map((option) => line(name, option))),
    `complete -c hidden-oracle -n '__fish_seen_subcommand_from completion' -f -a ${quoted(Object.keys(writers).join(" "))}`,
    "",
  ].join("\n");
}
