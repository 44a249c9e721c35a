#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/file/loss_compiler.h"
#include "task/task.h"

namespace softwood {

/// A task as the file's description has it: response, loss as text with its settings, units.
nlohmann::json task_to_json(const Task& task);
/// Throws Error if something does not fit together. `losses` compiles the loss.
Task task_from_json(const nlohmann::json& text, LossCompiler& losses);

}  // namespace softwood
