#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "data/file/byte_buffer.h"
#include "data/file/input_file.h"
#include "data/file/mapped_file.h"
#include "data/file/temporary_file.h"
#include "data/file/text_limit.h"

namespace softwood {

/// Bytes that come one after another and cannot be had twice: in memory while they are few, else in
/// a temporary file. Where none can be made they stay in memory.
class Spool {
 public:
  /// `origin`: what they are of, for messages. From `fewest_in_file` bytes on they are in a file.
  /// No more than `most` bytes are taken.
  Spool(std::string origin, std::size_t fewest_in_file, std::size_t most);

  /// Has room behind its bytes, to which the next ones are to be added. Throws Error if the
  /// temporary file cannot take what came before.
  ByteBuffer& room();

  /// When all has come: the file, or nullptr if the bytes are in memory.
  std::unique_ptr<MappedFile> take_file();
  /// Whether it is of use to read on after what came last; throws Error if that was too much (see
  /// TextLimit).
  bool goes_on() const;
  ByteBuffer take_bytes() { return std::move(bytes_); }

 private:
  void write();

  std::string origin_;
  std::size_t fewest_in_file_;
  ByteBuffer bytes_;  // all, or those that are not yet in the file
  std::unique_ptr<TemporaryFile> file_;
  std::size_t written_ = 0;
  std::size_t seen_ = 0;  // of bytes_, before room() was last asked for
  TextLimit limit_;
};

/// All that comes from `input`, unpacked if it is gzip. Throws Error if it cannot be read, is
/// damaged, has more than `most` bytes, or no room. What cannot be a text is not read to its end.
Spool spool(const InputFile& input, std::size_t fewest_in_file, std::size_t most);

}  // namespace softwood
