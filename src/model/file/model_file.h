#pragma once

#include "model/file/safetensors.h"
#include "model/model_parts.h"

namespace softwood {

/// A model as a safetensors file and back.
///   metadata: format "softwood", version, softwood (that wrote it), model (JSON: encoder, tasks
///   with losses as text and units, members with their shapes and training records, options).
///   member.M.bundle.N.curves  [trees, splits, knots of the bundle's columns one after the other]
///   member.M.bundle.N.biases  [trees, splits]
///   member.M.bundle.N.leaves  [trees, leaves, outputs]
///   member.M.linear.weights   [features, outputs], of a member that has a linear part
///   member.M.linear.biases    [outputs]
/// Splits are in breadth-first order: children of i are 2i + 1 (left) and 2i + 2 (right).
/// docs/model_format.md tells all of it.
Safetensors to_safetensors(const ModelParts& parts);
/// The one place that decides whether a file is a model: whoever has the parts need check nothing
/// of them again. Throws Error (without a file name) if something is missing, of another type, out
/// of range or does not fit together, before anything is sized by it.
ModelParts from_safetensors(Safetensors file);

}  // namespace softwood
