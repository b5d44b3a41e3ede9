#include <cctype>

#include "text.hpp"

namespace text {

std::string slug(const std::string& title) {
  std::string result;
  for (unsigned char c : title) result += std::isalnum(c) ? static_cast<char>(std::tolower(c)) : '-';
  return result;
}

}  // namespace text
