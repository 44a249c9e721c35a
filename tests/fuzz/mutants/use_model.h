#pragma once

#include "softwood/model.h"

namespace softwood::fuzz {

/// Three rows of the columns that the models of the corpus read.
const Table& rows_for_models();

/// Asks a model that was read for all that a model can be asked. What hangs on the table may throw
/// Error; what a model alone has to answer may not: std::logic_error tells which did, or that
/// saving and reading again did not give the same bytes.
void use_model(const Model& model, const Table& table);

}  // namespace softwood::fuzz
