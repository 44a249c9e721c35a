#include "train/warm/learned_tables.h"

#include <algorithm>

#include "base/fingerprint.h"
#include "train/prepare/examples.h"

namespace softwood {
namespace {

/// Rows of a part for every fold, at least.
constexpr std::size_t kLeastRowsPerFold = 2;

std::uint64_t fingerprint_of(const std::vector<Responses>& responses, std::size_t first,
                             std::size_t count) {
  Fingerprint fingerprint;
  for (const Responses& task : responses) {
    const auto begin = task.y.begin() + static_cast<std::ptrdiff_t>(first);
    fingerprint.add(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count)));
  }
  return fingerprint.value();
}

std::vector<std::uint32_t> rows_of(const TablePart& part,
                                   std::span<const std::uint32_t> learnable) {
  const auto begin = std::ranges::lower_bound(learnable, part.first);
  const auto end = std::ranges::lower_bound(learnable, part.first + part.count);
  return {begin, end};
}

bool is_too_small(const TrainOptions& options, std::size_t num_rows) {
  constexpr std::size_t kLeastFolds = 5;  // of one member, a fifth validates
  return num_rows < kLeastRowsPerFold * std::max(kLeastFolds, num_folds(options));
}

}  // namespace

std::vector<TablePart> find_learned_tables(std::span<const LearnedTable> learned,
                                           const std::vector<Responses>& responses,
                                           std::size_t num_rows) {
  std::vector<TablePart> parts;
  std::size_t first = 0;
  for (const LearnedTable& table : learned) {
    if (table.num_rows > num_rows - first ||
        fingerprint_of(responses, first, table.num_rows) != table.fingerprint)
      continue;
    parts.push_back({first, table.num_rows, &table});
    first += table.num_rows;
  }
  if (first < num_rows) parts.push_back({first, num_rows - first, nullptr});
  return parts;
}

LearnedTable learned_table(const std::vector<Responses>& responses, std::size_t first,
                           std::size_t count, std::uint64_t seed, bool has_validation_table) {
  return {.num_rows = count,
          .fingerprint = fingerprint_of(responses, first, count),
          .seed = seed,
          .all_learned = has_validation_table};
}

std::vector<Split> split_parts(const TrainOptions& options, std::span<const TablePart> parts,
                               std::span<const std::uint32_t> learnable, const Table& table) {
  // Columns that say it say it of all rows.
  if (!options.fold_column.empty() || !options.valid_column.empty())
    return split_rows(options, learnable, table);
  std::vector<Split> splits(static_cast<std::size_t>(options.members.value_or(1)));
  for (const TablePart& part : parts) {
    const std::vector<std::uint32_t> rows = rows_of(part, learnable);
    if (rows.empty()) continue;
    const bool all_learn =
        part.before != nullptr ? part.before->all_learned : is_too_small(options, rows.size());
    std::vector<Split> own(splits.size(), {.training = rows, .validation = {}});
    if (!all_learn) {
      TrainOptions with_seed = options;
      if (part.before != nullptr) with_seed.seed = part.before->seed;
      own = split_rows(with_seed, rows, table);
    }
    for (std::size_t member = 0; member < splits.size(); ++member) {
      const auto append = [](std::vector<std::uint32_t>& to,
                             const std::vector<std::uint32_t>& from) {
        to.insert(to.end(), from.begin(), from.end());
      };
      append(splits[member].training, own[member].training);
      append(splits[member].validation, own[member].validation);
    }
  }
  return splits;
}

}  // namespace softwood
