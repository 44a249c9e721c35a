#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/output_target.h"
#include "base/part_file.h"

namespace softwood {

/// Writes a file that appears whole or not at all: bytes go to a PartFile beside it; commit() syncs
/// that and renames it into place. Without commit() it is removed, and whatever stood at `path`
/// stays. Links are followed, the permissions of an old file are kept. A pipe or a device is
/// written directly, and opened by the first write(). Throws Error when the disk refuses.
class AtomicFile {
 public:
  /// Checks as check_writable() does; nothing is made before the first write() or commit().
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws the Error that writing `path` would meet; opens no pipe and leaves nothing behind. To
  /// be asked before long work.
  static void check_writable(const std::string& path) { AtomicFile probe(path); }

  void write(std::string_view bytes);
  /// What was written so far is safe on the disk, so that nothing but the change of name is left to
  /// commit(). Pipes and devices have nothing to be synced.
  void sync();
  void commit();

 private:
  void open();

  std::string path_;
  OutputTarget target_;
  std::unique_ptr<PartFile> part_;  // of a Kind::file, once there is something to write
  int descriptor_ = -1;
};

/// All of `bytes`, however few at a time the system takes; false as ::write fails.
bool write_all(int descriptor, std::string_view bytes);

}  // namespace softwood
