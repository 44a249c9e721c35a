#include <string>
#include <vector>

#include "cli/config_file.h"
#include "fuzz/memory_file.h"
#include "fuzz/targets.h"
#include "softwood/error.h"

namespace softwood::fuzz {

void config(std::string_view bytes) {
  const MemoryFile file(bytes);
  CLI::App verb;
  std::string loss;
  std::vector<std::string> targets;
  int trees = 0;
  double rate = 0;
  bool quiet = false;
  verb.add_option("--loss", loss);
  verb.add_option("--target", targets)->delimiter(',');
  verb.add_option("--trees", trees);
  verb.add_option("--learning-rate", rate);
  verb.add_flag("--quiet", quiet);
  try {
    cli::apply_config(file.path(), verb, [](const std::string&) {});
  } catch (const Error&) {
  }
}

}  // namespace softwood::fuzz
