#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "cli/data_source.h"
#include "cli/output_files.h"
#include "cli/progress_bar.h"
#include "softwood/train.h"

namespace softwood::cli {

/// What every verb that trains can be told: the table, which rows and columns, trees, optimizer.
struct TrainingOptions {
  TrainOptions options;
  DataSource data;
  std::string valid, config;
  bool quiet = false;

  void add_options(CLI::App& verb);
  /// To be called when the command line is parsed: reads the config file, and what the user gave by
  /// an old name.
  void settle(CLI::App& verb) const;
  /// As DataSource::read, without a word if --quiet.
  Table read(const std::string& file, const ColumnKinds& kinds = {}) const;
  /// That are read: tables and config.
  RunFiles files() const;
  /// Learns from the table, and stops early on the rows of --valid if there are any. `input` says
  /// what else a training begins with.
  Model train(const Table& table, const TrainOptions& settled, const Hooks& hooks,
              TrainingInput input = {}) const;
};

/// How a table is read for a training that starts from a model: as the model's was. nullptr: as it
/// is.
ColumnKinds kinds_for(const Model* start);

/// Progress that shows on the bar and ends with Ctrl-C. `strict`: warnings are errors.
Hooks hooks_for(ProgressBar& bar, bool strict);

}  // namespace softwood::cli
