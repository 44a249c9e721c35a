#pragma once

#include <cstddef>
#include <string>

namespace softwood {

/// Steps of one kind of trees.
struct Rates {
  double splits;
  double leaves;  ///< as a part of the splits'
  double decay;
};

/// What holds where the user says nothing. The help says the same in words (options/option_list.h);
/// a test compares the two.
struct Recipe {
  bool linear;
  int trees, num_narrow_groups, depth;
  const char* activation;
  int epochs, least_steps, patience;
  std::size_t batch_size;  ///< 0 = by the table's size
  Rates wide, narrow;
  const char* schedule;
  double average, beta2;
  bool balances;
  double keep_loss;
};

/// "default" or "paper"; Error for any other name.
const Recipe& recipe_named(const std::string& name);

/// What depends on the number of training rows.
std::size_t default_batch_size(const Recipe& recipe, std::size_t num_rows);
int default_fine_bins(std::size_t num_rows);
Rates default_rates(const Recipe& recipe, bool is_narrow, std::size_t num_rows);

}  // namespace softwood
