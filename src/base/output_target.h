#pragma once

#include <optional>
#include <string>

#include <sys/stat.h>

namespace softwood {

/// What writing to a path means, found out without opening anything: links are followed, so that a
/// link stays and the file that it names, there or not, is what is written.
struct OutputTarget {
  enum class Kind {
    file,        ///< a regular file, or none yet: may be replaced as a whole
    descriptor,  ///< /dev/stdout and the like: one that the process has open already
    stream,      ///< a pipe or a device: opened when there is something to write, not before
  };
  Kind kind = Kind::file;
  std::string path;                          ///< without links
  int descriptor = -1;                       ///< of Kind::descriptor
  std::optional<struct stat> old_file = {};  ///< the regular file that is there

  /// The folder of `path`.
  std::string folder() const;

  /// Throws Error for a folder, a disk, a socket, a name that is too long or cannot be looked at,
  /// and for what the user may not write.
  static OutputTarget find(const std::string& path);
};

/// "cannot DOING 'PATH': REASON." by errno.
[[noreturn]] void fail_by_errno(const char* doing, const std::string& path);

}  // namespace softwood
