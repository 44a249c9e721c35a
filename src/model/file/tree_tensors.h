#pragma once

#include "model/file/safetensors.h"
#include "model/model_parts.h"
#include "tree/kept_knots.h"

namespace softwood {

/// Throws Error unless the file has the tensors of a member's trees with as many numbers as their
/// shape wants: to be asked before an ensemble of the shape is made. `memory`: bytes that curves
/// may take of which the file leaves knots out; what these do is taken off.
void check_trees(const EnsembleShape& shape, std::size_t member, const Safetensors& file,
                 std::size_t& memory);

/// All trees' numbers, bundle after bundle: curves (those that are kept), knots (which these are),
/// biases, leaves.
void write_trees(const Member& member, std::size_t index, Safetensors& file);
/// What check_trees() has let pass, into `member.values` and `member.kept`. Takes the numbers out
/// of `file`, so that no large model stands in memory twice.
void read_trees(Safetensors& file, std::size_t index, const KnotPlaces& places, Member& member);
/// How many tensors there are.
std::size_t num_tree_tensors(const Member& member);

}  // namespace softwood
