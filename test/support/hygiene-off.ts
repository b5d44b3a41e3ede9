/** A manifest that allows every finding of hygiene, so that what comes after it can be tried alone. */
export const hygieneOff = {
  allow: [
    "asm",
    "attribute",
    "builtin",
    "cast",
    "detect",
    "header",
    "image",
    "include",
    "line",
    "macro",
    "operator",
    "pragma",
    "runtime",
    "signature",
    "spelling",
    "std",
    "symbol-define",
    "symbol-use",
  ],
};
