#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Text that is no CSV: `offset` says where.
class CsvError : public std::runtime_error {
public:
    explicit CsvError(std::size_t offset) : std::runtime_error("malformed CSV"), offset_(offset) {}
    std::size_t offset() const { return offset_; }

private:
    std::size_t offset_;
};

// Reads the records of a text one after another. The text is not copied and has to outlive the reader.
//
// - A record is one field or more with the separator between them: `a,` has two fields, the second empty. It ends
//   with LF, with CR LF or with the text. A line without a character is a record of one empty field, but behind the
//   last line end there is no further record, and in an empty text there is none.
// - A field that begins with a quote (") is quoted: it goes on to the next quote that is not doubled. Inside, two
//   quotes stand for one, and every other byte for itself: separators, CR, LF and NUL too. The closing quote is
//   followed by a separator, a line end or the end of the text.
// - Any other field is plain: every byte stands for itself, also blanks, NUL, a quote, and a CR that no LF follows.
// - Separators are any byte but quote, CR and LF.
//
// Any number of fields, of any length, in time proportional to the record. Readers don't know of each other. They can be
// copied and assigned, and a copy reads on by itself from where the original stood.
class CsvReader {
public:
    // Begins at `offset` as if the text began there; nothing before it is looked at.
    // Throws std::out_of_range if it is past the text's end, std::invalid_argument for a separator that can't be one.
    explicit CsvReader(std::string_view text, std::size_t offset = 0, char separator = ',');

    // Puts the next record's fields in place of what `fields` held. False: there was no record left.
    // Throws CsvError at the quote that opens a field and is never closed, or at the byte that may not follow a
    // closing quote. Whenever it does not return true, `fields` and the reader are as they were before.
    bool next(std::vector<std::string>& fields);

    // Where in the text the next record begins; the text's length when there is none left.
    std::size_t offset() const { return offset_; }

private:
    std::string_view text_;
    std::size_t offset_;
    char separator_;
};
