#pragma once

#include <vector>

#include "model/distribution/distribution.h"

namespace softwood {

/// Share of the responses inside the central interval of probability `level`, ends included. Of
/// `censored` ones (empty: none) counts how much of what they may be is inside. Rows whose interval
/// is NaN take no part.
double coverage(const PitIntervals& pit, const std::vector<bool>& censored, double level);

/// Ten shares of sum 1, for the tenths of [0, 1]: each row's is spread evenly over its interval
/// (Czado, Gneiting and Held 2009). Rows whose interval is NaN take no part.
std::vector<double> pit_histogram(const PitIntervals& pit);

}  // namespace softwood
