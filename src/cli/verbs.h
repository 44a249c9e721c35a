#pragma once

#include <CLI/CLI.hpp>

#include "cli/foreign_reader.h"

namespace softwood::cli {

/// Each adds its verb to the command line; the work is done in the verb's callback. Those that read
/// tables take what reads the kinds that the library does not.
void add_train(CLI::App& app, const ForeignReader& read_foreign);
void add_predict(CLI::App& app, const ForeignReader& read_foreign);
void add_evaluate(CLI::App& app, const ForeignReader& read_foreign);
void add_compare(CLI::App& app, const ForeignReader& read_foreign);
void add_describe(CLI::App& app);
void add_losses(CLI::App& app);

}  // namespace softwood::cli
