#pragma once

#include <cstddef>
#include <string>

#include "data/file/byte_buffer.h"

namespace softwood {

/// A file that is open for reading: a path, or "-" for standard input, which stays open.
class InputFile {
 public:
  /// Throws Error if it cannot be opened.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// For messages: the path or "standard input".
  const std::string& origin() const { return origin_; }
  /// Of a regular file; 0 for pipes and the like.
  std::size_t size() const;
  /// Whether it can be read from any place, and from its start now.
  bool is_at_start() const;
  /// Adds what comes next to the room of `bytes`, of which there must be some; false at the end.
  /// Throws Error if it cannot be read.
  bool read_more(ByteBuffer& bytes) const;

 private:
  [[noreturn]] void fail() const;

  std::string origin_;
  int descriptor_;
};

}  // namespace softwood
