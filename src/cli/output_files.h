#pragma once

#include <string>
#include <vector>

namespace softwood::cli {

/// The files of one run. Every verb that writes some names them here before it begins.
class RunFiles {
 public:
  /// A file that is read; "" is none, "-" is standard input, FILE::TABLE is FILE.
  RunFiles& reads(const std::string& path);
  /// The file of a loss that is written @FILE or @FILE(settings).
  RunFiles& reads_loss(const std::string& loss);
  /// A file that will be written; "" is none, "-" is standard output.
  RunFiles& writes(const std::string& option, const std::string& path);

  /// Throws Error if two outputs are one file, an output is a file that is read, by whatever name,
  /// or an output cannot be written (see AtomicFile::check_writable).
  void check() const;

 private:
  struct Output {
    std::string option, path;
  };
  std::vector<std::string> inputs_;
  std::vector<Output> outputs_;
};

}  // namespace softwood::cli
