#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/config_file.h"
#include "fuzz/targets.h"
#include "softwood/error.h"

namespace softwood::fuzz {
namespace {

/// A file that is nowhere but in memory, for configurations are read by path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("config", 0)) {
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0) break;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { close(descriptor_); }
  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

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
