#include "train/warm/new_columns.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "train/prepare/examples.h"

namespace softwood {
namespace {

/// Texts that stand in "other", as often as a level of a first training must occur.
std::vector<std::string> frequent_others(const EncodedColumn& column, std::size_t index,
                                         const SeenRows& rows) {
  const auto other = static_cast<float>(column.levels.size());
  const Column& source = rows.table.column(column.source);
  const std::span<const float> positions = rows.encoded.view().row(index);
  std::map<std::string, int> counts;
  for (const std::uint32_t row : rows.learnable) {
    if (positions[row] == other) ++counts[source.text(row)];
  }
  std::vector<std::string> frequent;
  for (const auto& [text, count] : counts) {
    if (count >= EncoderOptions{}.min_level_count) frequent.push_back(text);
  }
  return frequent;
}

std::vector<std::string> unknown_features(const Encoder& encoder, const Tasks& tasks,
                                          const TrainOptions& options, const SeenRows& rows) {
  std::set<std::string> known;
  for (const EncodedColumn& column : encoder.columns()) known.insert(column.source);
  EncoderOptions encoding;
  encoding.features = choose_features(options, tasks, rows.table);
  std::erase_if(encoding.features, [&](const std::string& name) { return known.contains(name); });
  if (encoding.features.empty()) return {};
  const LeftOut left_out = find_left_out(rows.table, rows.learnable, encoding);
  std::erase_if(encoding.features, [&](const std::string& name) {
    return std::ranges::find(left_out.constant, name) != left_out.constant.end() ||
           std::ranges::find(left_out.like_ids, name) != left_out.like_ids.end();
  });
  return encoding.features;
}

}  // namespace

bool add_new_levels(Encoder& encoder, const SeenRows& rows, const Words& words) {
  bool has_grown = false;
  for (std::size_t index = 0; index < encoder.columns().size(); ++index) {
    const EncodedColumn& column = encoder.columns()[index];
    if (column.kind != EncodedColumn::Kind::levels) continue;
    const std::vector<std::string> fresh = frequent_others(column, index, rows);
    if (fresh.empty()) continue;
    constexpr std::size_t kShown = 5;
    const std::vector<std::string> shown(
        fresh.begin(), fresh.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, fresh.size())));
    words.note(fmt::format("column '{}' has {} new level{}: {}{}", column.source, fresh.size(),
                           fresh.size() == 1 ? "" : "s", fmt::join(shown, ", "),
                           fresh.size() > kShown ? ", …" : ""));
    encoder.add_levels(index, fresh);
    has_grown = true;
  }
  return has_grown;
}

bool add_new_columns(Encoder& encoder, const Tasks& tasks, const TrainOptions& options,
                     const Settings& settings, bool adds_trees, const SeenRows& rows,
                     const Words& words) {
  EncoderOptions encoding;
  encoding.features = unknown_features(encoder, tasks, options, rows);
  if (encoding.features.empty()) return false;
  if (!adds_trees) {
    words.note(
        fmt::format("new columns, which the model's trees do not see: {} (--add-trees N adds "
                    "trees that do)",
                    fmt::join(encoding.features, ", ")));
    return false;
  }
  words.note(
      fmt::format("new columns, for the added trees: {}", fmt::join(encoding.features, ", ")));
  encoding.bins = settings.bins;
  encoding.fine_bins = settings.fine_bins;
  encoding.linear = settings.linear;
  encoding.threads = options.threads;
  encoder.append(Encoder::fit(rows.table, rows.learnable, encoding));
  return true;
}

}  // namespace softwood
