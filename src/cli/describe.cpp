#include <memory>

#include "cli/data_source.h"
#include "cli/verbs.h"
#include "softwood/model.h"

namespace softwood::cli {

void add_describe(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("describe", "Say what a model is: losses, trees, columns");
  auto path = std::make_shared<std::string>();
  verb->add_option("MODEL", *path, "A file that softwood train wrote")
      ->required()
      ->option_text(" ");
  verb->callback([path] { write_output("-", Model::load(*path).describe()); });
}

}  // namespace softwood::cli
