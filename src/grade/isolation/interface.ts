/** What of a class can be called from another process: its public interface, as a header declares it. */

/** One parameter. */
export interface Parameter {
  /** As declared: `const std::string&`. */
  readonly type: string;
  /** What goes over the wire: `std::string`. */
  readonly value: string;
  /** Its default argument, as written. */
  readonly fallback?: string;
}

/** A constructor. */
export interface Constructor {
  readonly parameters: readonly Parameter[];
  readonly isExplicit: boolean;
  readonly isNoexcept: boolean;
  readonly line: number;
}

/** A member function. */
export interface Method {
  readonly name: string;
  readonly result: string;
  readonly parameters: readonly Parameter[];
  readonly isConst: boolean;
  readonly isNoexcept: boolean;
  readonly line: number;
}

/** A class that can be proxied. */
export interface PlainClass {
  readonly name: string;
  /** Namespaces around it, outermost first. */
  readonly namespaces: readonly string[];
  readonly isFinal: boolean;
  /** Aliases, enumerations and constants of its public part, as written, in order. */
  readonly declarations: readonly string[];
  /** The names that `declarations` introduce. */
  readonly names: readonly string[];
  readonly constructors: readonly Constructor[];
  readonly methods: readonly Method[];
  readonly line: number;
}

/** One thing of a header, in the order in which the proxy declares them. */
export type HeaderItem =
  /** An alias, an enumeration, a constant or a declaration outside of classes, as written. */
  | { readonly kind: "verbatim"; readonly text: string; readonly namespaces: readonly string[] }
  | { readonly kind: "class"; readonly value: PlainClass };

/** A header as far as a proxy stands in for it. */
export interface PlainHeader {
  /** Its `#include` lines, as written. */
  readonly includes: readonly string[];
  readonly items: readonly HeaderItem[];
}

/** Thrown for what has no place in a plain interface; the caller names the file. */
export class NotProxiedError extends Error {
  override readonly name = "NotProxiedError";
  /** Counts from 1. */
  readonly line: number;

  constructor(what: string, line: number) {
    super(what);
    this.line = line;
  }
}
