#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace softwood {

/// Writes a file that appears whole or not at all: bytes go to a temporary file beside `path`;
/// commit() syncs it and renames it into place. Without commit() the temporary is removed and
/// whatever stood at `path` stays. A path that exists and is no regular file (/dev/stdout, a pipe)
/// is written directly. Throws Error when the disk refuses.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws the Error that writing `path` would meet; leaves nothing behind. To be asked before
  /// long work.
  static void check_writable(const std::string& path) { AtomicFile probe(path); }

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* doing) const;

  std::string path_;
  std::string temporary_;  // empty: writing `path_` directly
  std::FILE* file_ = nullptr;
};

}  // namespace softwood
