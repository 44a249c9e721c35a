#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "softwood/model.h"
#include "softwood/table.h"

namespace softwood {

struct ImportanceOptions {
  /// Pairs of rows to compare, for each column; a smaller table is paired with itself several
  /// times. The error of a share falls with the root of it.
  std::size_t max_rows = 8000;
  std::uint64_t seed = 0;  ///< of the pairs
  int threads = 0;         ///< 0 = as many as the process may use; changes no result
};

/// How much of each task's predictions rests on each column.
struct Importances {
  std::vector<std::string> columns;  ///< the model's, as the table names them; a date is one
  std::vector<std::string> tasks;
  /// [task][column]: sums to 1 per task; all 0 if the task's prediction is the same for every row.
  std::vector<std::vector<double>> shares;
};

/// The share of the predictions' variance that is lost when a column is not known: the total Sobol
/// index by Jansen's estimator, ½ mean (f(x) − f(x with the column's cell of another row))², over
/// raw outputs f. It is divided by the variance of f, averaged over a task's outputs and the
/// members, and scaled to sum to 1. A column that no tree reads has exactly 0. Of columns that
/// say the same, each has what the trees make of it. Throws Error for fewer than 2 rows.
Importances importances(const Model& model, const Table& table,
                        const ImportanceOptions& options = {});

/// What one column adds to the score z of a split, in the user's units.
struct ColumnCurve {
  enum class Kind {
    curve,   ///< values[i] at edges[i], linear between, constant beyond
    levels,  ///< values[i] for levels[i], `other` for any other text
    linear,  ///< slope · (x − centre)
  };
  std::string column;  ///< of the table
  std::string part;    ///< of a date: "time" (in days since 1970), "year", "weekday", …; else ""
  Kind kind = Kind::curve;
  std::vector<double> edges{};
  std::vector<std::string> levels{};
  std::vector<double> values{};
  double slope = 0;
  double centre = 0;
  double other = 0;
  double missing = 0;  ///< for a missing cell
  /// Standard deviation of what it adds: over the table's rows, or over edges or levels without
  /// one.
  double strength = 0;
};

/// Everything there is to know about one tree.
struct TreeView {
  struct Output {
    std::string task;
    std::string name;   ///< as its loss calls it: "f", "log_mu"
    std::string label;  ///< the class it speaks for, or ""
    double offset = 0;  ///< f = offset + the sum over all trees
  };
  struct Split {
    double bias = 0;
    std::vector<ColumnCurve> columns;  ///< the strongest first
    std::optional<double> share;       ///< of the rows that come here; without a table none
  };
  struct Leaf {
    std::vector<double> values;  ///< per output, in its units
    std::optional<double> share;
  };
  std::size_t member = 0;
  std::size_t index = 0;  ///< among the member's trees
  int depth = 0;
  std::string activation;  ///< S(z), the chance of going left: "logistic" or "smooth_step"
  double gamma = 0;        ///< width of the smooth step
  std::vector<Output> outputs;
  std::vector<Split> splits;  ///< breadth first: 2i + 1 is left of i, 2i + 2 right
  std::vector<Leaf> leaves;   ///< from left to right
};

std::size_t num_members(const Model& model);
/// Of a member; throws Error if there is no such member.
std::size_t num_trees(const Model& model, std::size_t member = 0);

/// Throws Error if there is no such tree. With a table, shares and strengths are those of its rows
/// (of 4,096 of them if there are more).
TreeView tree_view(const Model& model, std::size_t tree, std::size_t member = 0);
TreeView tree_view(const Model& model, const Table& table, std::size_t tree,
                   std::size_t member = 0);

}  // namespace softwood
