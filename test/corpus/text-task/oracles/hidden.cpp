#include "text.hpp"

#include <cassert>

int main() {
  assert(text::slug("a  b") == "a-b");
  assert(text::slug("  What is -- this?! ") == "what-is-this");
  assert(text::slug("...") == "");
  assert(text::slug("") == "");
  assert(text::split("a,,b", ',').size() == 3);
  assert(text::split("a,,b", ',')[1] == "");
  assert(text::split(";x;", ';').size() == 3);
  assert(text::split(";x;", ';').back() == "");
  assert(text::split("", ';').size() == 1);
}
