#pragma once

#include <CLI/CLI.hpp>

namespace softwood::cli {

/// Each adds its verb to the command line; the work is done in the verb's callback.
void add_train(CLI::App& app);
void add_predict(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_compare(CLI::App& app);
void add_describe(CLI::App& app);
void add_losses(CLI::App& app);

}  // namespace softwood::cli
