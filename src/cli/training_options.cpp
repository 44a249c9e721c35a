#include "cli/training_options.h"

#include "cli/config_file.h"
#include "cli/interrupt.h"
#include "cli/old_options.h"
#include "cli/talk.h"
#include "options/option_list.h"
#include "options/set_option.h"

namespace softwood::cli {
namespace {

/// One word, which set_option() understands.
template <class Field>
CLI::Option* add_field(CLI::App& verb, const std::string& flag, TrainOptions& options, Field&) {
  const auto set = [&options, flag](const std::string& text) {
    set_option(options, flag.substr(2), text);
  };
  return verb.add_option_function<std::string>(flag, set);
}
/// A list may also be given in parts: --drop a --drop b,c.
CLI::Option* add_field(CLI::App& verb, const std::string& flag, TrainOptions&,
                       std::vector<std::string>& field) {
  return verb.add_option(flag, field)->delimiter(',');
}

}  // namespace

ColumnKinds kinds_for(const Model* start) {
  return start == nullptr ? ColumnKinds{} : start->read_as(ColumnsFor::evaluation);
}

void TrainingOptions::add_options(CLI::App& verb) {
  verb.add_option("--valid", valid, "Table of validation rows, instead of splitting DATA")
      ->option_text("FILE")
      ->group("Files");
  verb.add_option("--config", config, "Options from a TOML or JSON file; the command line wins")
      ->option_text("FILE")
      ->group("Files");
  verb.add_flag("-q,--quiet", quiet, "Say nothing but errors");
  data.add_options(verb, /*with_kinds=*/true);
  visit_options(options, [&](const DeclaredOption& option, auto& field) {
    add_field(verb, std::string("--") + option.name, options, field)
        ->description(help_text(option))
        ->group(option.section)
        ->option_text(option.value_name);
  });
  add_old_options(verb);
}

void TrainingOptions::settle(CLI::App& verb) const {
  const auto warn = [&](const std::string& text) {
    if (data.strict) fail_strictly(text);
    if (!quiet) talk_line("warning: " + text);
  };
  renew_old_options(verb, warn);
  if (!config.empty()) apply_config(config, verb, warn);
}

Table TrainingOptions::read(const std::string& file, const ColumnKinds& kinds) const {
  DataSource source = data;
  source.quiet = quiet;
  source.defer_numbers = true;
  return source.read(file, options.threads, kinds);
}

RunFiles TrainingOptions::files() const {
  return RunFiles().reads(data.path).reads(valid).reads(config);
}

Model TrainingOptions::train(const Table& table, const TrainOptions& settled, const Hooks& hooks,
                             TrainingInput input) const {
  input.table = &table;
  if (valid.empty()) return softwood::train(input, settled, hooks);
  const Table validation = read(valid, kinds_for(input.start_from));
  input.validation = &validation;
  return softwood::train(input, settled, hooks);
}

Hooks hooks_for(ProgressBar& bar, bool strict) {
  Hooks hooks;
  hooks.on_note = [&](const std::string& text) { bar.say("note: " + text); };
  hooks.on_warning = [&bar, strict](const std::string& text) {
    if (strict) fail_strictly(text);
    bar.say("warning: " + text);
  };
  hooks.should_stop = was_interrupted;
  hooks.on_progress = [&](const Progress& progress) {
    keep_on_interrupt();
    bar.show(progress);
    return !was_interrupted();
  };
  hooks.on_epoch = [&](const Progress& progress, const EpochResult& result) {
    keep_on_interrupt();
    bar.show_epoch(progress, result);
    return !was_interrupted();
  };
  return hooks;
}

}  // namespace softwood::cli
