#pragma once

#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include "softwood/table.h"

namespace softwood::python {

/// The columns of a Python Table, its numbers borrowed: they live as long as any of the copies.
std::vector<Column> all_columns(nanobind::handle table);

/// One of them; Error if there is none of that name.
Column one_column(nanobind::handle table, std::string_view name);

/// table[key] for a list of names, rows, or (rows, names). Whatever NumPy takes as an index into
/// one dimension is taken for rows. A slice of neighbours is borrowed, other rows are copied.
Table get_part(nanobind::handle_t<Table> table, nanobind::object key);

}  // namespace softwood::python
