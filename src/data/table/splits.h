#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "softwood/table.h"

namespace softwood {

/// Row numbers; each part in the order of the rows that were split.
struct Split {
  std::vector<std::uint32_t> training;
  std::vector<std::uint32_t> validation;
};

/// round(fraction · rows.size()) of the given rows, drawn at random by `seed`, become validation
/// rows.
Split split_at_random(std::span<const std::uint32_t> rows, double fraction, std::uint64_t seed);

/// Whole groups (equal cells of `group`; each missing cell is a group of its own) are drawn at
/// random until about `fraction` of the rows are validation rows: no group is on both sides.
Split split_by_group(std::span<const std::uint32_t> rows, const Column& group, double fraction,
                     std::uint64_t seed);

/// As split_by_group() counts them.
std::size_t count_groups(std::span<const std::uint32_t> rows, const Column& group);

/// Validation rows are those whose cell says so: a number ≠ 0, or a text among valid, validation,
/// test, holdout, true, yes, 1 (any case). Missing cells and all else train.
/// Throws Error when a side is empty.
Split split_by_column(std::span<const std::uint32_t> rows, const Column& marks);

/// Deals the rows at random into `count` folds of about equal size; split k validates fold k and
/// trains the others. Throws Error if there are fewer rows than folds.
std::vector<Split> split_into_folds(std::span<const std::uint32_t> rows, std::size_t count,
                                    std::uint64_t seed);

/// The same with whole groups (as in split_by_group()).
std::vector<Split> split_groups_into_folds(std::span<const std::uint32_t> rows, const Column& group,
                                           std::size_t count, std::uint64_t seed);

/// Every distinct value of `folds` is a fold, in the order of the values. Throws Error for a
/// missing cell, fewer than two folds or more than 100.
std::vector<Split> split_by_fold_column(std::span<const std::uint32_t> rows, const Column& folds);

}  // namespace softwood
