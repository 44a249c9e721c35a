#pragma once

#include <cstddef>

#include "loss/language/loss_program.h"
#include "loss/language/schedule.h"

namespace softwood::loss {

/// Runs a schedule over the rows in blocks; results[i] (f.cols rows, or y's) receives root i, a
/// number. A row's result depends on that row alone, to the last bit: the last block is
/// padded, so every row goes through the same vector code. Where `mask_missing` is set, rows with y
/// = NaN get exactly 0. Spans of data that the schedule does not read may be empty.
void evaluate(const Schedule& schedule, const LossData& data, MatrixView<const double> f,
              std::size_t num_rows, bool mask_missing, std::span<double* const> results);

}  // namespace softwood::loss
