#include "csv_fields.hpp"

#include <algorithm>

namespace {

// Takes one field and the separator behind it off the line; `at` is where the line begins in the text.
std::string take_field(std::string_view& line, char separator, std::size_t at) {
    std::string_view field;
    if (line.front() == '"') {
        const std::size_t close = line.find('"', 1);
        if (close == std::string_view::npos) throw CsvError(at);
        field = line.substr(1, close - 1);
        line.remove_prefix(close + 1);
    } else {
        field = line.substr(0, line.find(separator));
        line.remove_prefix(field.size());
    }
    if (!line.empty()) line.remove_prefix(1);
    return std::string(field);
}

} // namespace

CsvReader::CsvReader(std::string_view text, std::size_t offset, char separator)
    : text_(text), offset_(offset), separator_(separator) {
    if (offset > text.size()) throw std::out_of_range("offset past the end of the text");
    if (separator == '"' || separator == '\r' || separator == '\n') throw std::invalid_argument("separator");
}

bool CsvReader::next(std::vector<std::string>& fields) {
    if (offset_ == text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', offset_), text_.size());
    std::string_view line = text_.substr(offset_, end - offset_);
    offset_ = std::min(end + 1, text_.size());
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    fields.clear();
    while (!line.empty()) fields.push_back(take_field(line, separator_, end - line.size()));
    return true;
}
