#include "loss/language/evaluator.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/aligned_vector.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loss/language/evaluator.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "loss/language/operations-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::loss::HWY_NAMESPACE {

/// All instructions on one block of `rows` rows, a multiple of every vector's width; register r
/// starts at registers + r · stride.
void run_block(std::span<const Instruction> instructions, const double* const* operands,
               std::size_t rows, double* registers, std::size_t stride) {
  for (const Instruction& step : instructions) {
    kernel(step.op)(rows, {operands + step.first_operand, step.num_operands},
                    registers + step.target * stride);
  }
}

/// result = values, but 0 of rows whose response is missing. Of exactly `rows` rows.
void write_of_responses(const double* y, const double* values, std::size_t rows, double* result) {
  const D tag;
  std::size_t row = 0;
  for (; row + hn::Lanes(tag) <= rows; row += hn::Lanes(tag)) {
    const Vec kept = hn::IfThenZeroElse(hn::IsNaN(load(y, row)), load(values, row));
    hn::StoreU(kept, tag, result + row);
  }
  for (; row < rows; ++row) result[row] = std::isnan(y[row]) ? 0.0 : values[row];
}

}  // namespace softwood::loss::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood::loss {
namespace {

HWY_EXPORT(run_block);
HWY_EXPORT(write_of_responses);

/// The widest vector of any target; blocks are whole vectors.
constexpr std::size_t kPadding = 8;

/// As many rows as keep the registers in the second-level cache: small programs get long blocks.
/// No more than there are: constants fill as many.
std::size_t block_rows(const InstructionList& list, std::size_t num_rows) {
  constexpr std::size_t kCacheDoubles = 256 * 1024 / sizeof(double);
  const std::size_t fitting = kCacheDoubles / std::max<std::size_t>(1, list.num_registers);
  const std::size_t most =
      std::clamp(fitting / kPadding * kPadding, std::size_t{4 * kPadding}, std::size_t{256});
  return std::min(most, round_up(std::max<std::size_t>(1, num_rows), kPadding));
}

class BlockEvaluator {
 public:
  BlockEvaluator(const InstructionList& list, const LossData& data, MatrixView<const double> f,
                 std::size_t num_rows)
      : list_(list), data_(data), f_(f), num_rows_(num_rows), stride_(block_rows(list, num_rows)) {
    // One workspace per thread, kept between calls: evaluating allocates nothing.
    thread_local AlignedVector<double> workspace;
    thread_local std::vector<const double*> operands;
    const std::size_t tails = 1 + f.rows + data.columns.size();
    workspace.resize((list.num_registers + tails) * stride_);
    operands.resize(list.operands.size());
    registers_ = workspace.data();
    tails_ = registers_ + list.num_registers * stride_;
    operands_ = operands.data();
    fill_constants();
  }

  void run(MissingRows missing, std::span<double* const> results) {
    for (first_ = 0; first_ < num_rows_; first_ += stride_) {
      count_ = std::min(stride_, num_rows_ - first_);
      compute_block();
      for (std::size_t i = 0; i < results.size(); ++i) {
        write_result(list_.results[i], missing, results[i] + first_);
      }
    }
  }

 private:
  void fill_constants() {
    const std::size_t used = std::min(stride_, round_up(num_rows_, kPadding));
    for (std::size_t i = 0; i < list_.constants.size(); ++i) {
      for (std::size_t row = 0; row < used; ++row) {
        std::memcpy(registers_ + i * stride_ + row, &list_.constants[i], sizeof(double));
      }
    }
  }

  /// The block's rows of the caller's memory, or a padded copy if they are not whole vectors.
  const double* input(std::span<const double> whole, std::size_t tail) {
    if (whole.empty()) return nullptr;
    const double* rows = whole.data() + first_;
    if (count_ % kPadding == 0) return rows;
    double* copy = tails_ + tail * stride_;
    const std::size_t padded = round_up(count_, kPadding);
    std::copy(rows, rows + count_, copy);
    std::fill(copy + count_, copy + padded, rows[count_ - 1]);
    return copy;
  }

  const double* locate(Place place) {
    switch (place.kind) {
      case Place::Kind::register_file:
        return registers_ + place.index * stride_;
      case Place::Kind::response:
        return response_;
      case Place::Kind::output:
        return outputs(place.index);
      case Place::Kind::column:
        return columns(place.index);
    }
    return nullptr;
  }
  const double* outputs(std::uint32_t k) { return input(f_.row(k), 1 + k); }
  const double* columns(std::uint32_t k) { return input(data_.columns[k], 1 + f_.rows + k); }

  void compute_block() {
    response_ = input(data_.y, 0);
    for (std::size_t i = 0; i < list_.operands.size(); ++i) {
      operands_[i] = locate(list_.operands[i]);
    }
    HWY_DYNAMIC_DISPATCH(run_block)
    (list_.instructions, operands_, round_up(count_, kPadding), registers_, stride_);
  }

  void write_result(Place place, MissingRows missing, double* result) {
    const double* rows = locate(place);
    if (missing == MissingRows::are_computed) {
      std::copy(rows, rows + count_, result);
      return;
    }
    HWY_DYNAMIC_DISPATCH(write_of_responses)(response_, rows, count_, result);
  }

  const InstructionList& list_;
  const LossData& data_;
  MatrixView<const double> f_;
  std::size_t num_rows_, stride_;
  std::size_t first_ = 0, count_ = 0;
  double* registers_ = nullptr;
  double* tails_ = nullptr;
  const double** operands_ = nullptr;
  const double* response_ = nullptr;
};

}  // namespace

void evaluate(const InstructionList& list, const LossData& data, MatrixView<const double> f,
              std::size_t num_rows, MissingRows missing, std::span<double* const> results) {
  BlockEvaluator(list, data, f, num_rows).run(missing, results);
}

}  // namespace softwood::loss
#endif  // HWY_ONCE
