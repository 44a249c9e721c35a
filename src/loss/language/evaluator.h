#pragma once

#include <cstddef>

#include "loss/language/instructions.h"
#include "loss/language/loss_program.h"

namespace softwood::loss {

/// What becomes of rows with y = NaN.
enum class MissingRows { are_computed, give_zero };

/// Runs a list over the rows in blocks; results[i] (f.cols rows, or y's) receives root i, a
/// number. A row's result depends on that row alone, to the last bit: the last block is
/// padded, so every row goes through the same vector code. Spans of data that the list does not
/// read may be empty.
void evaluate(const InstructionList& list, const LossData& data, MatrixView<const double> f,
              std::size_t num_rows, MissingRows missing, std::span<double* const> results);

}  // namespace softwood::loss
