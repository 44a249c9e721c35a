#pragma once

#include <string>

#include "softwood/table.h"

namespace softwood {

/// A look at a table: its size, and the first rows of its first columns, aligned. Numbers have six
/// digits, missing cells are a dot.
std::string preview_text(const Table& table);

/// The same as an HTML table.
std::string preview_html(const Table& table);

}  // namespace softwood
