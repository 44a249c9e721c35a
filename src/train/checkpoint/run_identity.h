#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "softwood/options.h"
#include "train/prepare/preparation.h"

namespace softwood {

/// What decides the bits of a training besides its data: the version, the SIMD target, the engine,
/// the options. `threads` is not among them. Nor is the number of
/// epochs where the rate is constant: such a training may go on for more.
nlohmann::json identity_of_run(const TrainOptions& options);

/// The data as training sees them, in fingerprints: each encoded column, response and loss, the row
/// weights, who learns from which rows.
nlohmann::json identity_of_data(const Preparation& preparation);

/// Throws Error that names the first difference between what a checkpoint belongs to and what is
/// asked for.
void expect_same_run(const nlohmann::json& checkpoint, const nlohmann::json& asked);
void expect_same_data(const nlohmann::json& checkpoint, const nlohmann::json& given);

/// Throws Error unless a checkpoint's description has all that the above compare (and `ended`),
/// each of its own type.
void expect_identity(const nlohmann::json& about);

}  // namespace softwood
