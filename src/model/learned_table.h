#pragma once

#include <cstddef>
#include <cstdint>

namespace softwood {

/// A table that a model has learned from, as far as later trainings must know it again: so that the
/// rows which a member has not seen stay those that judge it.
struct LearnedTable {
  std::size_t num_rows = 0;
  std::uint64_t fingerprint = 0;  ///< of its responses
  std::uint64_t seed = 0;         ///< by which its rows were dealt out
  bool all_learned = false;       ///< validation rows came from a table of their own

  bool operator==(const LearnedTable&) const = default;
};

}  // namespace softwood
