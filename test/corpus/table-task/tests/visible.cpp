#include "table.hpp"

#include <cassert>

int main() {
  Table<int> table;
  table[1] = 10;
  table[2] = 20;
  assert(table.size() == 2);
  assert(table[1] == 10);
  assert(table.nth(1).key == 2);
  assert(table.erase(2));
  assert(!table.erase(2));
}
