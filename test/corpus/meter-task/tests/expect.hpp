#pragma once
#include <cstdio>
#include <string>

// A test goes on after a failed expectation; `main` returns how many there were.
inline int failures = 0;

inline void expect(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
}
