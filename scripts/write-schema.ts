/** Writes the JSON Schemas from the code that checks: `node scripts/run-ts.mjs scripts/write-schema.ts [--check]`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { manifestJsonSchema } from "../src/model/manifest-schema.ts";
import { recordSchema } from "../src/model/record.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const schemas: Readonly<Record<string, () => object>> = {
  "schema/manifest.schema.json": manifestJsonSchema,
  "schema/record.schema.json": recordJsonSchema,
};

function recordJsonSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(recordSchema, { io: "input" });
  return { $schema, $id: "urn:hidden-oracle:record", title: "Record of one grade by hidden-oracle", ...rest };
}

for (const [name, schemaOf] of Object.entries(schemas)) {
  const file = join(root, name);
  const text = `${JSON.stringify(schemaOf(), null, 2)}\n`;
  if (!process.argv.includes("--check")) {
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    process.stderr.write(
      `${name} is not what the code says\nhint: node scripts/run-ts.mjs scripts/write-schema.ts\n`,
    );
    process.exitCode = 1;
  }
}
