#pragma once

#include "model/distribution/mixture_cdf.h"

namespace softwood {

/// What is integrated over z: a function of the cdf at z and of z − pivot (never 0).
using CdfIntegrand = double (*)(double cdf, double distance);

/// One row's integral from `low` to `high` ≥ low; the integrand may break at `pivot` and bend at
/// `bend`.
struct CdfRange {
  std::uint32_t row = 0;
  double low = 0, high = 0;
  double pivot = 0;
  double bend = 0;
};

/// out[i] = ∫ integrand(F(z), z − pivot) dz over ranges[i]; NaN if an end is not finite.
/// A discrete response over a range of up to 1,024: the exact sum (if the integrand is linear in
/// the distance). Else adaptive Gauss–Kronrod, panels of all the rows together, to about 1e-7 of
/// the whole where the cdf is smooth; a jump inside is bisected until it matters little (1e-5).
void integrate_cdf(const MixtureCdf& cdf, std::span<const CdfRange> ranges, CdfIntegrand integrand,
                   std::span<double> out);

}  // namespace softwood
