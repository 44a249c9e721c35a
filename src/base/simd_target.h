#pragma once

#include <string>
#include <vector>

namespace softwood {

/// Applies SOFTWOOD_SIMD (a target's name as simd_targets() lists it, any case) to every kernel of
/// the process, once; later calls do nothing. Throws Error for a name the machine does not have.
void choose_simd_target();

/// The SIMD targets of this machine, best first: "AVX3", "AVX2", "SCALAR"; "NEON" on ARM.
std::vector<std::string> simd_targets();

/// The one that the kernels use: the best, or what SOFTWOOD_SIMD says (see choose_simd_target()).
std::string simd_target();

/// Restricts the kernels to one target of simd_targets(); for tests. An empty name undoes it.
void force_simd_target(const std::string& name);

}  // namespace softwood
