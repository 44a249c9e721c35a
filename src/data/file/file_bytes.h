#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "data/file/mapped_file.h"

namespace softwood {

/// Bytes that grow without being cleared first: tables of gigabytes are read into it.
class ByteBuffer {
 public:
  char* data() { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  void reserve(std::size_t capacity);
  /// `size` ≤ capacity(); new bytes are whatever was there.
  void resize(std::size_t size) { size_ = size; }
  void push_back(char byte);
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* data) const { std::free(data); }
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// The text of a file, ready for a reader: unpacked if it is gzip (by its first bytes), without
/// UTF-8 byte order mark, lines ended by LF or CRLF (the lone CR of old files becomes LF), and a
/// line end as its last byte, followed by kPadding zeros outside the text. "-" is standard input.
/// Throws Error if the file cannot be read, is empty, is damaged gzip, or is UTF-16.
class FileBytes {
 public:
  static constexpr std::size_t kPadding = 16;

  /// `threads`: 0 = as many as the machine has.
  explicit FileBytes(const std::string& path, int threads = 1);
  /// From memory, as if read from a file.
  FileBytes(std::string_view content, std::string origin);

  /// A large file that is not held in memory (see MappedFile): nullptr unless it is a regular file
  /// of at least `fewest_bytes` that can be read as it stands, neither gzip nor UTF-16 nor of lone
  /// CRs.
  static std::shared_ptr<const FileBytes> map(const std::string& path, std::size_t fewest_bytes);

  std::string_view text() const {
    return (mapped_ ? mapped_->bytes() : bytes_.view()).substr(first_);
  }
  /// For messages: the path or "standard input".
  const std::string& origin() const { return origin_; }
  /// nullptr if the bytes are in memory.
  const MappedFile* mapped() const { return mapped_.get(); }

 private:
  FileBytes() = default;
  void prepare();

  std::string origin_;
  ByteBuffer bytes_;
  std::unique_ptr<MappedFile> mapped_;  // in place of bytes_
  std::size_t first_ = 0;               // after the byte order mark
};

}  // namespace softwood
