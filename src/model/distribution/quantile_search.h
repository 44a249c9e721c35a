#pragma once

#include "model/distribution/mixture_cdf.h"

namespace softwood {

/// Where a search begins: a point that is likely, and how far from it to look first. Any finite
/// centre and positive spread find the same quantile; good ones find it sooner.
struct SearchStart {
  double centre = 0;
  double spread = 1;
};

/// out[i] = inf{q: P(Y ≤ q) ≥ p[i]} in row rows[i], for continuous and discrete responses and any
/// mix of them: a whole number if the response is one, exactly the place of an atom, and else the
/// upper end of a bracket of relative width 1e-13. NaN where p is not inside (0, 1), where the cdf
/// is NaN, or where it never gets there. `start`: one per row of the table.
void find_quantiles(const MixtureCdf& cdf, std::span<const std::uint32_t> rows,
                    std::span<const double> p, std::span<const SearchStart> start,
                    std::span<double> out);

}  // namespace softwood
