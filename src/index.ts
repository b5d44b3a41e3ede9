/** The public API. */
export { GraderError } from "./model/errors.ts";
export type { LayerOutcome } from "./model/outcome.ts";
export { type Token, tokenOf, tokens } from "./model/verdict.ts";
