#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "data/file/cut_pages.h"

namespace softwood {

/// A regular file as memory that the system fills as it is looked at. Whoever goes through it lets
/// go of what lies behind, so that a file of any size takes little memory. Of one that is cut
/// shorter meanwhile line feeds are read where it has nothing any more.
class MappedFile {
 public:
  /// nullptr if the path is no regular file of at least `fewest_bytes` bytes, or cannot be mapped.
  static std::unique_ptr<MappedFile> open(const std::string& path, std::size_t fewest_bytes);
  /// The same of an open file, which is closed in the end, or at once if there is nothing to
  /// return.
  static std::unique_ptr<MappedFile> take(int descriptor, std::size_t fewest_bytes);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Without what end_last_line() adds. At least a page of zeros follows.
  std::string_view bytes() const { return {data_, size_}; }
  /// Puts a line feed behind the last byte; the file itself does not change.
  void end_last_line();
  /// [begin, end) is not needed now: it takes no memory until it is looked at again.
  void let_go(const char* begin, const char* end) const;
  /// Whether the file has become shorter: what is missing is not worth looking at.
  bool is_cut() const;
  /// Whether the file is as it was when it was opened, by its size and the time of its last change.
  bool is_unchanged() const;

 private:
  struct State {
    std::size_t size = 0;
    long long seconds = 0, nanoseconds = 0;  // of the last change
    bool is_regular = false;
    bool operator==(const State&) const = default;
  };
  static State state_of(int descriptor);

  MappedFile(int descriptor, State state, char* data, std::size_t mapped)
      : descriptor_(descriptor),
        state_(state),
        data_(data),
        size_(state.size),
        mapped_(mapped),
        guard_(data, state.size) {}

  int descriptor_;
  State state_;
  char* data_;
  std::size_t size_;
  std::size_t mapped_;
  CutPagesGuard guard_;
};

}  // namespace softwood
