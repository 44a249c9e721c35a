#pragma once

#include "model/model_parts.h"

namespace softwood {

/// Fits the members to a model whose encoder or tasks have grown since: more levels of a column,
/// more columns after the old ones, more outputs at the end of a task. They say what they said: a
/// new level means what "other" does, trees see no new column, and nothing adds to a new output,
/// whose offset is the task's. Throws Error if a task has grown whose outputs have trees of their
/// own each.
void grow_members(ModelParts& model, const Encoder& old_encoder, const Tasks& old_tasks);

}  // namespace softwood
