// The tests that a repair is shown.
#include "csv_fields.hpp"

#undef NDEBUG
#include <cassert>

namespace {

using Fields = std::vector<std::string>;

// A table with a header, and cells that were left empty.
void empty_cells() {
    CsvReader reader("id,name,note\n7,,spare\n8,bolt,\n");
    Fields fields;
    assert(reader.next(fields) && (fields == Fields{"id", "name", "note"}));
    assert(reader.next(fields) && (fields == Fields{"7", "", "spare"}));
    assert(reader.next(fields) && (fields == Fields{"8", "bolt", ""}));
    assert(!reader.next(fields));
}

// Cells that need quotes.
void quoted_cells() {
    CsvReader reader("9,\"nut, square\",\"the \"\"good\"\" ones\"\r\n10,\"\",washer\r\n");
    Fields fields;
    assert(reader.next(fields) && (fields == Fields{"9", "nut, square", "the \"good\" ones"}));
    assert(reader.next(fields) && (fields == Fields{"10", "", "washer"}));
    assert(!reader.next(fields));
}

} // namespace

int main() {
    empty_cells();
    quoted_cells();
    return 0;
}
