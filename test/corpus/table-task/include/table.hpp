#pragma once
#include <cstddef>
#include <vector>

// Values by key, in ascending order of keys. Header only.
template <class Value>
class Table {
 public:
  struct Entry {
    int key;
    Value value;
  };
  using const_iterator = typename std::vector<Entry>::const_iterator;

  // The value of a key, made where there was none.
  Value& operator[](int key) {
    for (Entry& entry : entries_)
      if (entry.key == key) return entry.value;
    entries_.push_back(Entry{key, Value()});
    return entries_.back().value;
  }
  bool erase(int key) {
    for (Entry& entry : entries_) {
      if (entry.key != key) continue;
      entry = entries_.back();
      entries_.pop_back();
      return true;
    }
    return false;
  }
  const Entry& nth(std::size_t n) const { return entries_.at(n); }
  std::size_t size() const { return entries_.size(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }

 private:
  std::vector<Entry> entries_;
};
