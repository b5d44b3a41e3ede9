#include "text.hpp"

namespace text {

Words split(const std::string& line, char separator) {
  Words words;
  std::string word;
  for (char c : line) {
    if (c != separator) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  words.push_back(word);
  return words;
}

}  // namespace text
