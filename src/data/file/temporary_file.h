#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace softwood {

/// A file without a name in a folder for temporary files: it is gone when it is closed, however the
/// process ends.
class TemporaryFile {
 public:
  /// In $TMPDIR, or else /tmp or /var/tmp; nullptr if it can be made in none of them.
  static std::unique_ptr<TemporaryFile> make();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& folder() const { return folder_; }
  /// False if not all of it could be written; errno says why.
  bool write(std::string_view bytes) const;
  /// The descriptor, which the caller closes.
  int release();

 private:
  TemporaryFile(std::string folder, int descriptor)
      : folder_(std::move(folder)), descriptor_(descriptor) {}

  std::string folder_;
  int descriptor_;
};

}  // namespace softwood
