#include "text.hpp"

#include <cassert>

int main() {
  assert(text::slug("Hello World") == "hello-world");
  assert(text::slug("plain") == "plain");
  assert(text::split("a,b,c", ',').size() == 3);
  assert(text::split("one", ',').front() == "one");
}
