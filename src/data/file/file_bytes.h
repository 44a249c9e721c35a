#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "data/file/byte_buffer.h"
#include "data/file/mapped_file.h"
#include "softwood/table.h"

namespace softwood {

class InputFile;

/// The text of a file, ready for a reader: unpacked if it is gzip (by its first bytes), without
/// UTF-8 byte order mark, lines ended by LF or CRLF (the lone CR of old files becomes LF), and a
/// line end as its last byte, followed by kPadding zeros outside the text. "-" is standard input.
/// Throws Error if the file cannot be read, is empty, is damaged gzip, is UTF-16, or is a stream or
/// gzip beyond a limit.
class FileBytes {
 public:
  static constexpr std::size_t kPadding = 16;

  /// `threads`: 0 = as many as the machine has.
  /// `most_bytes`: as ReadOptions.
  explicit FileBytes(const std::string& path, int threads = 1,
                     std::size_t most_bytes = ReadOptions::kMostBytes);
  /// From memory, as if read from a file.
  FileBytes(std::string_view content, std::string origin,
            std::size_t most_bytes = ReadOptions::kMostBytes);

  /// The same, but from `fewest_bytes` of text on not held in memory (see MappedFile), unless it
  /// cannot be read as it stands, for its lines end in lone CRs. A stream or what is unpacked goes
  /// into a temporary file.
  static std::shared_ptr<const FileBytes> open(const std::string& path, std::size_t fewest_bytes,
                                               int threads = 1,
                                               std::size_t most_bytes = ReadOptions::kMostBytes);
  /// Such a regular file, or standard input that is one: nullptr if it has fewer bytes, is gzip or
  /// cannot be read as it stands.
  static std::shared_ptr<const FileBytes> map(const std::string& path, std::size_t fewest_bytes);

  std::string_view text() const {
    return (mapped_ ? mapped_->bytes() : bytes_.view()).substr(first_);
  }
  /// For messages: the path or "standard input".
  const std::string& origin() const { return origin_; }
  /// Throws Error if the bytes are not in memory, and the file is not as it was when it was opened.
  void refuse_changed() const;
  /// nullptr if the bytes are in memory.
  const MappedFile* mapped() const { return mapped_.get(); }

 private:
  FileBytes() = default;
  FileBytes(const InputFile& input, int threads, std::size_t most_bytes);
  static std::shared_ptr<const FileBytes> spool_all(const InputFile& input,
                                                    std::size_t fewest_bytes,
                                                    std::size_t most_bytes);
  void use(std::unique_ptr<MappedFile> mapped);
  void unpack(std::size_t most_bytes);
  void prepare();

  std::string origin_;
  ByteBuffer bytes_;
  std::unique_ptr<MappedFile> mapped_;  // in place of bytes_
  std::size_t first_ = 0;               // after the byte order mark
};

}  // namespace softwood
