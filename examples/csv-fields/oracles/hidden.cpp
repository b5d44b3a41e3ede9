// The hidden oracle: what the reader owes its callers, for texts that nobody was shown.
//
// A table of states reads each text as well, and both are asked after every record. Small texts come in full
// number, large ones are made from fields that are known beforehand. All checks are unconditional, so every correct
// implementation meets the same number of them in the same order.
#include "csv_fields.hpp"

#undef NDEBUG
#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <type_traits>
#include <utility>

namespace {

using Fields = std::vector<std::string>;
using namespace std::string_literals;

static_assert(std::is_constructible_v<CsvReader, std::string_view>);
static_assert(std::is_constructible_v<CsvReader, std::string_view, std::size_t, char>);
static_assert(!std::is_convertible_v<std::string_view, CsvReader>);
static_assert(std::is_copy_constructible_v<CsvReader>);
static_assert(std::is_same_v<decltype(std::declval<CsvReader&>().next(std::declval<Fields&>())), bool>);
static_assert(std::is_same_v<decltype(std::declval<const CsvReader&>().offset()), std::size_t>);
static_assert(std::is_base_of_v<std::runtime_error, CsvError>);
static_assert(std::is_same_v<decltype(std::declval<const CsvError&>().offset()), std::size_t>);

class Dice { // xorshift64*: the same throws on every machine
public:
    explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u | 1) {}
    std::size_t below(std::size_t limit) {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return (state_ * 0x2545F4914F6CDD1Du >> 16) % limit;
    }

private:
    std::uint64_t state_;
};

// A text that ends where its memory ends: the sanitizer sees every byte that is read beyond.
class Exact {
public:
    explicit Exact(std::string_view text) : size_(text.size()), bytes_(new char[text.size()]) {
        if (size_ != 0) std::memcpy(bytes_.get(), text.data(), size_);
    }
    std::string_view view() const { return {bytes_.get(), size_}; }

private:
    std::size_t size_;
    std::unique_ptr<char[]> bytes_;
};

enum class Step { record, end, error };

// What one call of `next` comes to; `offset` is the next record's, or the error's.
struct Result {
    Step step;
    std::size_t offset;
    Fields fields;
};

// The model: one pass, one byte at a time.
Result expect(std::string_view text, std::size_t from, char separator) {
    if (from == text.size()) return {Step::end, from, {}};
    enum { fresh, plain, inside, closing } state = fresh;
    Fields fields(1);
    std::size_t opened = from;
    for (std::size_t i = from; i < text.size(); ++i) {
        const char byte = text[i];
        const bool crlf = byte == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if (state == inside) {
            if (byte == '"') state = closing;
            else fields.back() += byte;
        } else if (state == closing && byte == '"') {
            fields.back() += byte;
            state = inside;
        } else if (byte == separator) {
            fields.emplace_back();
            state = fresh;
        } else if (byte == '\n' || crlf) {
            return {Step::record, i + (crlf ? 2 : 1), fields};
        } else if (state == closing) {
            return {Step::error, i, {}};
        } else if (state == fresh && byte == '"') {
            opened = i;
            state = inside;
        } else {
            fields.back() += byte;
            state = plain;
        }
    }
    if (state == inside) return {Step::error, opened, {}};
    return {Step::record, text.size(), fields};
}

// The same, asked of the reader. An exception of another kind ends the test.
Result ask(CsvReader& reader, Fields& fields) {
    try {
        const bool more = reader.next(fields);
        return {more ? Step::record : Step::end, reader.offset(), {}};
    } catch (const CsvError& error) {
        return {Step::error, error.offset(), {}};
    }
}

// One call, held against the model. True: there may be more.
bool agree(CsvReader& reader, Fields& fields, std::string_view text, char separator) {
    const std::size_t from = reader.offset();
    const Result expected = expect(text, from, separator);
    const Fields before = fields;
    const Result got = ask(reader, fields);
    const bool record = expected.step == Step::record;
    assert(got.step == expected.step && got.offset == expected.offset);
    assert(fields == (record ? expected.fields : before));
    assert(reader.offset() == (record ? expected.offset : from));
    return record;
}

// Reads all of a text, and asks again when there is no more to come.
void read(std::string_view content, std::size_t from = 0, char separator = ',') {
    const Exact text(content);
    CsvReader reader(text.view(), from, separator);
    Fields fields{"left", "from", "before"};
    assert(reader.offset() == from);
    while (agree(reader, fields, text.view(), separator)) {
    }
    agree(reader, fields, text.view(), separator);
}

// Every text of up to so many bytes of an alphabet.
void every_text(std::string_view alphabet, std::size_t longest, char separator) {
    for (std::size_t size = 0; size <= longest; ++size) {
        std::size_t number = 1;
        for (std::size_t i = 0; i < size; ++i) number *= alphabet.size();
        std::string text(size, ' ');
        while (number-- > 0) {
            std::size_t rest = number;
            for (char& byte : text) {
                byte = alphabet[rest % alphabet.size()];
                rest /= alphabet.size();
            }
            read(text, 0, separator);
        }
    }
}

// From every offset, also into the middle of quotes and of line ends.
void every_offset(std::string_view text) {
    for (std::size_t from = 0; from <= text.size(); ++from) read(text, from);
}

template <class Error> bool refuses(std::string_view text, std::size_t offset, char separator) {
    try {
        CsvReader reader(text, offset, separator);
        return false;
    } catch (const Error&) {
        return true;
    }
}

// Every byte as a separator, and as a byte of plain and quoted fields.
void every_byte() {
    for (int code = 0; code < 256; ++code) {
        const char byte = static_cast<char>(code);
        const std::string one(1, byte);
        for (const std::string& text : Fields{one, one + one, "x" + one + "y", "\"" + one + "\"", "\"" + one, "\"\"" + one + "z\n"})
            read(text);
        const bool possible = byte != '"' && byte != '\r' && byte != '\n';
        assert(refuses<std::invalid_argument>("a", 0, byte) == !possible);
        assert(!possible || refuses<std::out_of_range>("a", 2, byte));
        const char separator = possible ? byte : ';';
        const std::string s(1, separator);
        for (const std::string& text : Fields{"a,b" + s + s + "\"" + s + ",\"" + s + "\r\n", s + "\n", "\"\"" + s + "c", "\"\",c"})
            read(text, 0, separator);
    }
}

void offsets_past_the_end() {
    for (const std::string& text : {""s, "a"s, "a\n"s, std::string(70000, 'a')}) {
        for (std::size_t beyond : {std::size_t{1}, std::size_t{2}, std::size_t{1} << 16, std::size_t{1} << 32})
            assert(refuses<std::out_of_range>(text, text.size() + beyond, ','));
        assert(refuses<std::out_of_range>(text, SIZE_MAX, ','));
        assert(!refuses<std::out_of_range>(text, text.size(), ','));
    }
}

// A field as it stands in a text, quoted where it must be and here and there where it need not.
void write(std::string& text, const std::string& field, bool quoted) {
    if (!quoted) {
        text += field;
        return;
    }
    text += '"';
    for (const char byte : field) text.append(byte == '"' ? 2 : 1, byte);
    text += '"';
}

// Random tables, written and read back: nothing of the model takes part.
void round_trip(std::uint64_t seed) {
    Dice dice(seed);
    const std::string alphabet = "ab ,;\"\r\n\0\xff"s;
    std::vector<Fields> table(1 + dice.below(12));
    std::string text;
    std::vector<std::size_t> ends;
    for (Fields& record : table) {
        record.resize(1 + dice.below(7));
        for (std::string& field : record) {
            field.resize(dice.below(4) * dice.below(12));
            for (char& byte : field) byte = alphabet[dice.below(alphabet.size())];
            if (&field != &record.front()) text += ',';
            const bool must = field.find_first_of(",\"\r\n") != std::string::npos;
            write(text, field, must || dice.below(4) == 0);
        }
        text += dice.below(2) == 0 ? "\n" : "\r\n";
        ends.push_back(text.size());
    }
    CsvReader reader(text);
    Fields fields;
    for (std::size_t i = 0; i < table.size(); ++i) {
        assert(reader.next(fields));
        assert(fields == table[i]);
        assert(reader.offset() == ends[i]);
    }
    assert(!reader.next(fields));
}

// One record whose middle field is long, and one behind it.
void long_field(std::size_t size, bool quoted) {
    std::string field(size, 'x');
    for (std::size_t i = 0; i < size; ++i) field[i] = static_cast<char>('a' + i * 7 % 25);
    if (quoted)
        for (std::size_t i = 3; i < size; i += 5) field[i] = ",\n\"\r"[i / 5 % 4];
    std::string text = "1,";
    write(text, field, quoted);
    text += ",3\r\n4";
    const std::size_t behind = text.size() - 1;
    const Exact exact(text);
    CsvReader reader(exact.view());
    Fields fields;
    assert(reader.next(fields));
    assert((fields == Fields{"1", field, "3"}));
    assert(reader.offset() == behind);
    assert(reader.next(fields));
    assert((fields == Fields{"4"}));
}

void many_fields(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) text += ',';
        if (i % 64 == 63) text += std::to_string(i);
    }
    text += "\nz\n\"";
    CsvReader reader(text);
    Fields fields;
    assert(reader.next(fields));
    assert(fields.size() == count);
    bool right = true;
    for (std::size_t i = 0; i < count; ++i) right = fields[i] == (i % 64 == 63 ? std::to_string(i) : "") && right;
    assert(right);
    Fields many(fields);
    assert(reader.next(fields));
    assert((fields == Fields{"z"}));
    assert(ask(reader, many).step == Step::error);
    assert(many.size() == count && many.back() == ((count - 1) % 64 == 63 ? std::to_string(count - 1) : ""));
}

// One reader, many records, with an error behind the last.
void many_records(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += i % 2 == 0 ? "\n" : "k\r\n";
    text += "x,\"";
    CsvReader reader(text);
    Fields fields;
    bool right = true;
    for (std::size_t i = 0; i < count; ++i) {
        right = reader.next(fields) && right;
        right = fields.size() == 1 && fields[0] == (i % 2 == 0 ? "" : "k") && right;
        right = reader.offset() == (i + 1) / 2 * 4 + (i + 1) % 2 && right;
    }
    assert(right);
    for (int again = 0; again < 300; ++again) {
        const Result got = ask(reader, fields);
        assert(got.step == Step::error && got.offset == text.size() - 1);
    }
    assert(reader.offset() == text.size() - 3);
}

void fails_at(std::string_view text, std::size_t offset) {
    CsvReader reader(text);
    Fields fields{"kept"};
    const Result got = ask(reader, fields);
    assert(got.step == Step::error && got.offset == offset);
    assert(reader.offset() == 0 && (fields == Fields{"kept"}));
}

// Errors far from the beginning: both kinds, their place to the byte.
void far_errors(std::size_t distance) {
    const std::string lead(distance, 'y');
    fails_at(lead + ",\"a\"\"b", distance + 1);
    fails_at(lead + ",\"a\"b", distance + 4);
    fails_at(lead + ",\"\"\rb", distance + 3);
    fails_at(lead + ",,\" ", distance + 2);
    fails_at("\"" + lead, 0);
    fails_at("\"" + lead + "\"\"", 0);
    fails_at("\"" + lead + "\" \n", distance + 2);
}

// An error says the same however often it is asked.
void one_error_asked_often(int count) {
    CsvReader reader("a,\"b");
    Fields fields;
    bool right = false;
    try {
        reader.next(fields);
    } catch (const CsvError& error) {
        right = true;
        for (int i = 0; i < count; ++i) right = error.offset() == 2 && right;
    }
    assert(right);
}

// Texts of more than 4 GiB: only the pages around the place in question ever exist. They end behind each byte of the
// content in turn, with its other bytes, which are no part of the text, in the memory behind.
void beyond(int bit, std::string_view content) {
    const std::size_t point = std::size_t{1} << bit;
    const std::size_t size = point + content.size();
    void* const room = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert(room != MAP_FAILED);
    char* const bytes = static_cast<char*>(room);
    for (std::size_t before = 0; before <= content.size(); before += 3) {
        const std::size_t from = point - before;
        std::memcpy(bytes + from, content.data(), content.size());
        for (std::size_t length = 0; length <= content.size(); ++length) {
            const std::string_view text(bytes, from + length);
            CsvReader reader(text, from);
            Fields fields;
            while (agree(reader, fields, text, ',')) {
            }
            agree(reader, fields, text, ',');
            assert(refuses<std::out_of_range>(text, text.size() + 1, ','));
        }
    }
    munmap(room, size);
}

// Readers of one text and of two, in turns, and a copy made midway.
void side_by_side() {
    const std::string left = "a,b\nc\n\"d\ne\",f\ng", right = "1;2;\"3\"\r\n;\r\n\"4";
    CsvReader first(left), second(left), other(right, 0, ';');
    Fields one{"x"}, two, three;
    agree(first, one, left, ',');
    agree(other, three, right, ';');
    agree(first, one, left, ',');
    agree(second, two, left, ',');
    CsvReader copy(first);
    for (int turn = 0; turn < 5; ++turn) {
        agree(other, three, right, ';');
        agree(first, one, left, ',');
        agree(second, two, left, ',');
    }
    assert(copy.offset() == 6);
    agree(copy, two, left, ',');
    assert((two == Fields{"d\ne", "f"}));
    second = copy;
    agree(second, two, left, ',');
    assert((two == Fields{"g"}));
}

} // namespace

int main() {
    every_text(",\"\r\nx", 5, ',');
    every_text("\"\n;", 6, ';');
    every_text("\"\r,", 6, ',');
    every_text("\0\",\n"s, 4, '\0');
    every_byte();
    offsets_past_the_end();
    every_offset("a,\"b\"\"\",\r\n\"\n\r\n\",,c\"d\r,\"\"\n\n\"e\",f\"\",\"g\"h\n\"i");
    every_offset("\r\r\n\"\r\",\"\"\"\"\"\",\" \"\"\"\r\n , \"x\", \t\"\n\"\"\r\n,");
    for (std::uint64_t seed = 0; seed < 150; ++seed) round_trip(seed);
    for (std::size_t size : {126, 127, 128, 253, 255, 256, 257, 4096, 65533, 65539, 131075}) {
        long_field(size, false);
        long_field(size, true);
    }
    for (std::size_t count : {2, 127, 128, 129, 255, 256, 257, 1025, 131073}) many_fields(count);
    many_records(262200);
    for (std::size_t distance : {100, 130, 260, 32770, 65533, 65540}) far_errors(distance);
    one_error_asked_often(131073);
    for (int bit : {31, 32, 33}) {
        beyond(bit, "a,\"b\"\"\",c\r\n\"\n\",,d\n\"e");
        beyond(bit, "\r\n,\"\"x");
        beyond(bit, "a,b\"\",\"\"\"\r\n\r\n\n,,");
    }
    side_by_side();
    return 0;
}
