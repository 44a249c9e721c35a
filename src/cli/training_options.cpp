#include "cli/training_options.h"

#include "cli/interrupt.h"
#include "cli/seed_option.h"
#include "options/option_list.h"

namespace softwood::cli {
namespace {

/// Defaults are shown by CLI11 for plain fields and in the help text for those a recipe fills in.
template <class T>
void add_field(CLI::App& verb, const std::string& flag, T& field, const char* help,
               const char* section, const char* value_name) {
  verb.add_option(flag, field, help)->group(section)->option_text(value_name);
}
void add_field(CLI::App& verb, const std::string& flag, std::vector<std::string>& field,
               const char* help, const char* section, const char* value_name) {
  verb.add_option(flag, field, help)->delimiter(',')->group(section)->option_text(value_name);
}

void add_field(CLI::App& verb, const std::string& flag, std::uint64_t& field, const char* help,
               const char* section, const char* value_name) {
  add_seed_option(verb, flag, field, help)->group(section)->option_text(value_name);
}

}  // namespace

void TrainingOptions::add_options(CLI::App& verb) {
  verb.add_option("--valid", valid, "Table of validation rows, instead of splitting DATA")
      ->option_text("FILE")
      ->group("Files");
  verb.add_option("--config", config, "Options from a TOML or JSON file; the command line wins")
      ->option_text("FILE")
      ->group("Files");
  verb.add_flag("-q,--quiet", quiet, "Say nothing but errors");
  data.add_options(verb, /*with_kinds=*/true);
  visit_options(options, [&](const char* section, const std::string& name, auto& field,
                             const char* value_name, const char* help) {
    add_field(verb, "--" + name, field, help, section, value_name);
  });
}

Table TrainingOptions::read(const std::string& file, const ColumnKinds& kinds) const {
  DataSource source = data;
  source.quiet = quiet;
  source.defer_numbers = true;
  return source.read(file, options.threads, kinds);
}

Model TrainingOptions::train(const Table& table, const TrainOptions& settled,
                             const Hooks& hooks) const {
  if (valid.empty()) return softwood::train(table, settled, hooks);
  return softwood::train(table, read(valid), settled, hooks);
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
