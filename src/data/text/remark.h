#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "softwood/table.h"

namespace softwood {

/// A cell that a remark shows.
struct ShownCell {
  std::size_t row = 0;
  std::string text;
  std::string column = {};  // if the remark is about several
};

/// What reading a table has to say: the text before its cells, the cells, the text after them.
struct Remark {
  bool is_warning = false;
  std::string before = {};
  std::vector<ShownCell> cells = {};
  std::string after = {};
};

/// What people call rows: "line 17" of a file, "row 17" of a frame. `rows` ascend.
using RowNames = std::function<std::vector<std::string>(std::span<const std::size_t> rows)>;

/// "… 'abc' (line 17), 'x' (line 30) …", to options.on_warning or on_note.
void tell_remarks(const std::vector<Remark>& remarks, const ReadOptions& options,
                  const RowNames& row_names);

/// "row 1", "row 2", …
std::vector<std::string> numbered_rows(std::span<const std::size_t> rows);

/// The first row of a level in a categorical column, as a cell to show.
ShownCell shown_level(const Column& column, std::size_t level);

}  // namespace softwood
