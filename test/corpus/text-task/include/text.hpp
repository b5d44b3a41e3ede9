#pragma once
#include <string>
#include <vector>

namespace text {

using Words = std::vector<std::string>;

// The fields between separators, empty ones too; a line without separators is one field.
Words split(const std::string& line, char separator);

// Lower case, with one dash for each run of other characters, and none at the ends.
std::string slug(const std::string& title);

}  // namespace text
