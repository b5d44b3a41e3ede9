/** Bundles the command line and the public API into flat files in `dist/`, libraries included. */
import { isBuiltin } from "node:module";
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/cli.ts", "src/index.ts"],
  format: "esm",
  platform: "node",
  target: "node20",
  dts: { entry: ["src/index.ts"] },
  fixedExtension: false,
  // Reading one bundled chunk is several times faster than resolving a library's many files.
  deps: { alwaysBundle: (id) => !isBuiltin(id), onlyBundle: false },
  // Some libraries' `main` is a UMD file that cannot be bundled; their `module` can.
  inputOptions: { resolve: { mainFields: ["module", "main"] } },
  // The parser of C++ and its grammar are WebAssembly, which is read from beside the program.
  copy: ["web-tree-sitter", "tree-sitter-cpp"].map((name) => `node_modules/${name}/${name}.wasm`),
  // Emscripten's loader has an `eval` for libraries that bring JavaScript along; the grammar brings none.
  checks: { eval: false },
  failOnWarn: true,
});
