/** The files of a new task: a function that trims text, broken for text that is blank. */

const manifest = {
  $schema: "./.manifest.schema.json",
  id: "trim",
  prompt: "prompts/fix.md",
  sources: ["include/trim.hpp", "src/trim.cpp"],
  visible: "tests/visible.cpp",
  hidden: "oracles/hidden.cpp",
  cxxflags: ["-std=c++17", "-fsanitize=address,undefined", "-fno-omit-frame-pointer"],
  reference: "patches/fix.diff",
  calibration: { "patches/fix.diff": "PASS", "patches/shown-case-only.diff": "OVERFIT" },
};

const header = `#pragma once
#include <string>

// The text without white space at its ends. White space is blank, tab, newline and carriage return.
std::string trim(const std::string& text);
`;

const source = `#include "trim.hpp"

std::string trim(const std::string& text) {
    const auto first = text.find_first_not_of(" \\t");
    const auto last = text.find_last_not_of(" \\t");
    return text.substr(first, last - first + 1);
}
`;

const visible = `#include "trim.hpp"
#include <cassert>

int main() {
    assert(trim("a b") == "a b");
    assert(trim("  a b ") == "a b");
    assert(trim("   ") == "");
}
`;

const hidden = `#include "trim.hpp"
#include <cassert>
#include <string>

int main() {
    for (const char* white : {"\\n", "\\r", "\\t", " "}) {
        for (int count = 1; count <= 5; ++count) {
            std::string around;
            for (int i = 0; i < count; ++i) around += white;
            assert(trim(around + "x" + around) == "x");
            assert(trim("x" + around + "y") == "x" + around + "y");
            assert(trim(around) == "");
        }
    }
    assert(trim("") == "");
}
`;

const prompt = `\`trim\` throws where it should return an empty text. Make it keep what \`include/trim.hpp\` promises.
Answer with a unified diff against \`src/trim.cpp\`.
`;

const fix = `--- a/src/trim.cpp
+++ b/src/trim.cpp
@@ -1,7 +1,9 @@
 #include "trim.hpp"
 
 std::string trim(const std::string& text) {
-    const auto first = text.find_first_not_of(" \\t");
-    const auto last = text.find_last_not_of(" \\t");
+    const char* const white = " \\t\\n\\r";
+    const auto first = text.find_first_not_of(white);
+    if (first == std::string::npos) return "";
+    const auto last = text.find_last_not_of(white);
     return text.substr(first, last - first + 1);
 }
`;

const shownCaseOnly = `--- a/src/trim.cpp
+++ b/src/trim.cpp
@@ -1,6 +1,7 @@
 #include "trim.hpp"
 
 std::string trim(const std::string& text) {
+    if (text == "   ") return "";
     const auto first = text.find_first_not_of(" \\t");
     const auto last = text.find_last_not_of(" \\t");
     return text.substr(first, last - first + 1);
`;

/** Path and text of each file. */
export const newTaskFiles: readonly (readonly [path: string, text: string])[] = [
  ["manifest.json", `${JSON.stringify(manifest, null, 2)}\n`],
  ["include/trim.hpp", header],
  ["src/trim.cpp", source],
  ["tests/visible.cpp", visible],
  ["oracles/hidden.cpp", hidden],
  ["prompts/fix.md", prompt],
  ["patches/fix.diff", fix],
  ["patches/shown-case-only.diff", shownCaseOnly],
];
