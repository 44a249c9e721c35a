#pragma once

#include "data/encoder/encoder.h"
#include "linear/linear_part.h"
#include "model/file/safetensors.h"

namespace softwood {

/// A member's linear part as plain tensors: weights [features, outputs] and biases [outputs].
void write_linear(const LinearPart& part, std::size_t member, Safetensors& file);
/// Takes them out of `file`. Throws Error if a tensor is missing or does not fit the encoder's
/// columns or the outputs.
LinearPart read_linear(Safetensors& file, std::size_t member, const Encoder& encoder,
                       std::size_t num_outputs);

}  // namespace softwood
