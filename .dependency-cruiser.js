/** Who may import whom. The table is the one in CONTRIBUTING.md; each row becomes one rule. */

const everyFolder = [
  "model",
  "sandbox",
  "task",
  "grade",
  "audit",
  "loop",
  "report",
  "store",
  "fleet",
  "server",
  "commands",
];

/** Folder → the other folders that it may import. A folder without a row may not exist. */
const table = {
  model: [],
  sandbox: ["model"],
  task: ["model", "sandbox"],
  grade: ["model", "sandbox", "task"],
  audit: ["model", "sandbox", "task", "grade"],
  loop: ["model"],
  report: ["model"],
  store: ["model"],
  fleet: ["model", "task", "grade", "store"],
  server: everyFolder.filter((folder) => folder !== "sandbox"),
  commands: everyFolder,
};

/** Libraries and Node modules without side effects, all that the nouns may stand on. */
const pureModules =
  "^node_modules/(@types/)?(zod|jsonc-parser|diff|picomatch|fastest-levenshtein)/|^(node:)?(crypto|path|buffer|util)$|^package[.]json$";

/** Types, and what is too large to be installed by those who only need the part that is in `dist/`. */
const bundledOnly = "^node_modules/(@types|@modelcontextprotocol)/";

const tests = "[.]test[.]ts$";

const folderRules = Object.entries(table).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment: `src/${folder} may import ${allowed.length === 0 ? "no other folder" : allowed.join(", ")}.`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^src/", pathNot: `^src/(${[folder, ...allowed].join("|")})/` },
}));

export default {
  forbidden: [
    ...folderRules,
    {
      name: "cli-imports",
      comment: "src/cli.ts knows commands and model, nothing else.",
      severity: "error",
      from: { path: "^src/cli[.]ts$" },
      to: { path: "^src/", pathNot: "^src/(commands|model)/" },
    },
    {
      name: "known-folders",
      comment: "A file in src/ belongs to a folder with a row in the import table.",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(cli|index)[.]ts$|^src/(${Object.keys(table).join("|")})/` },
      to: {},
    },
    {
      name: "model-is-pure",
      comment: "src/model holds nouns and pure functions: no files, no processes, no network.",
      severity: "error",
      from: { path: "^src/model/", pathNot: tests },
      to: { pathNot: `^src/|${pureModules}` },
    },
    {
      name: "spawn-in-sandbox",
      comment: "Whatever is spawned goes through src/sandbox, which sets the limits.",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/sandbox/|${tests}` },
      to: { path: "^(node:)?(child_process|cluster)$" },
    },
    {
      name: "product-stands-alone",
      comment: "src/ is shipped; tests, benchmarks and scripts are not.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|scripts|web)/" },
    },
    {
      name: "no-tests-imported",
      comment: "Nothing imports a test file.",
      severity: "error",
      from: {},
      to: { path: tests },
    },
    {
      name: "no-dev-packages",
      comment: "What is shipped uses `dependencies` only, or what the bundle holds whole.",
      severity: "error",
      from: { path: "^src/", pathNot: tests },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], pathNot: bundledOnly },
    },
    {
      name: "no-cycles",
      comment: "Two files that import each other are one file, or lack a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment: "An import names a file that exists.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "^node_modules/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
