#pragma once

#include <span>
#include <string>

#include "model/file/safetensors.h"
#include "tree/ensemble.h"

namespace softwood {

/// Numbers per split of a bundle: the knots of its columns, one of each linear column.
std::size_t num_knots(const EnsembleShape& shape, const Bundle& bundle);

/// Files of versions 3 to 6 have three tensors for each bundle.
/// Throws Error unless the file has the bundle's tensors, in the shapes that it wants: to be asked
/// before an ensemble of the shape is made.
void check_bundle(const EnsembleShape& shape, std::size_t member, std::size_t bundle,
                  const Safetensors& file);

/// A bundle's numbers, into the kernels' layout (blocks of lanes, padded): `values` is an ensemble
/// buffer. Throws Error if a tensor is missing or has another shape. Takes the numbers out of
/// `file`, whose tensors are empty then, so that no large model stands in memory twice.
void read_bundle(const Ensemble& ensemble, std::size_t member, std::size_t bundle,
                 Safetensors& file, std::span<float> values);

}  // namespace softwood
