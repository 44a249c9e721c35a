#include "data/encoder/messages.h"

#include <fmt/format.h>

#include "data/text/text_column.h"

namespace softwood {

std::string infinite_cell(const Table& table, const Column& column, std::size_t row) {
  return fmt::format(
      "row {} of {}: column '{}' is infinite. Leave the cell empty if it is not known, "
      "or write a finite number.",
      table.row_number(row), table.origin, column.name);
}

std::string unexpected_cell(const Table& table, const Column& column, std::size_t row,
                            std::string_view expected) {
  return fmt::format(
      "row {} of {}: column '{}' holds {} where the model expects {}. Fix the cell, or "
      "leave it empty.",
      table.row_number(row), table.origin, column.name, quoted_for_message(column.text(row)),
      expected);
}

}  // namespace softwood
