/** The version of this program, as its package names it. */
import manifest from "../../package.json" with { type: "json" };

export const version: string = manifest.version;
