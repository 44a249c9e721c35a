#include "data/file/read_mistakes.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/table/table_rows.h"

namespace softwood {
namespace {

std::string counted(std::size_t count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::vector<std::size_t> rows_of(const std::vector<ReadMistake>& mistakes) {
  std::vector<std::size_t> rows;
  for (const ReadMistake& mistake : mistakes) {
    if (rows.empty() || rows.back() != mistake.row) rows.push_back(mistake.row);
  }
  return rows;
}

std::string warning(const Table& table, const std::vector<ReadMistake>& mistakes,
                    std::size_t num_rows, OnError on_error) {
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(mistakes.size(), kNamedMistakes); ++i) {
    first.push_back(mistakes[i].words);
  }
  const std::string what =
      on_error == OnError::skip
          ? fmt::format("left out {} of {}", num_rows, counted(table.num_rows(), "row"))
          : fmt::format("{} in {} of {}, read as missing", counted(mistakes.size(), "mistake"),
                        num_rows, counted(table.num_rows(), "row"));
  return fmt::format("{}: {}: {}{}", table.origin, what, fmt::join(first, "; "),
                     mistakes.size() > first.size() ? "; …" : "");
}

/// All rows of the table but `skipped`, which ascend.
Table leave_out(const Table& table, const std::vector<std::size_t>& skipped) {
  std::vector<std::int64_t> kept;
  kept.reserve(table.num_rows() - skipped.size());
  auto next = skipped.begin();
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    if (next != skipped.end() && *next == row) {
      ++next;
    } else {
      kept.push_back(static_cast<std::int64_t>(row));
    }
  }
  return select_rows(table, kept);
}

}  // namespace

Table settle_mistakes(Table table, std::vector<ReadMistake> mistakes, const ReadOptions& options) {
  if (mistakes.empty()) return table;
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [](const ReadMistake& a, const ReadMistake& b) { return a.row < b.row; });
  const std::vector<std::size_t> rows = rows_of(mistakes);
  if (options.on_warning) {
    options.on_warning(warning(table, mistakes, rows.size(), options.on_error));
  }
  if (options.on_error != OnError::skip) return table;
  if (options.on_skip) {
    for (const std::size_t row : rows) options.on_skip(row);
  }
  Table kept = leave_out(table, rows);
  kept.left_out = rows;
  return kept;
}

}  // namespace softwood
