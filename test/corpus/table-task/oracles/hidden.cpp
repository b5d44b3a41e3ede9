#include "table.hpp"

#include <cassert>
#include <cstdlib>
#include <map>

static unsigned seed() {
  const char* given = std::getenv("HIDDEN_ORACLE_SEED");
  return given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 7u;
}

int main() {
  Table<int> table;
  std::map<int, int> model;
  unsigned dice = seed() * 2654435761u | 1u;
  for (int step = 0; step < 2000; ++step) {
    dice = dice * 1664525u + 1013904223u;
    const int key = static_cast<int>(dice >> 24) % 40;
    if ((dice >> 16) % 3 == 0) {
      assert(table.erase(key) == (model.erase(key) == 1));
    } else {
      table[key] = step;
      model[key] = step;
    }
    assert(table.size() == model.size());
    std::size_t n = 0;
    for (const auto& [known, value] : model) {
      assert(table.nth(n).key == known);
      assert(table.nth(n).value == value);
      ++n;
    }
  }
  for (const auto& [known, value] : model) assert(table[known] == value);
}
