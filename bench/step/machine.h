#pragma once

namespace softwood {

/// Multiply-adds of floats that one core does in registers, two operations each: what a product of
/// matrices cannot outdo. With the SIMD target in force.
double peak_gflops();

/// Reading and writing floats of the second-level cache by one core, bytes of both.
double cache_gigabytes_per_second();

}  // namespace softwood
