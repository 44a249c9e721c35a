#pragma once

#include <span>
#include <string>

#include "model/file/safetensors.h"
#include "tree/ensemble.h"

namespace softwood {

/// A bundle's numbers between the kernels' layout (blocks of lanes, padded) and plain tensors.
/// `values` is an ensemble buffer.
void write_bundle(const Ensemble& ensemble, std::size_t member, std::size_t bundle,
                  std::span<const float> values, Safetensors& file);
/// Throws Error if a tensor is missing or has another shape.
void read_bundle(const Ensemble& ensemble, std::size_t member, std::size_t bundle,
                 const Safetensors& file, std::span<float> values);

}  // namespace softwood
