#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/file/byte_buffer.h"
#include "data/file/text_limit.h"

struct z_stream_s;  // zlib's

namespace softwood {

/// Whether the bytes begin as every gzip file does.
bool is_gzip(std::string_view bytes);

/// Unpacks all members of a gzip file that comes in pieces; its checksums are verified. Throws
/// Error naming `origin` when the bytes are damaged or end too early.
class Gunzip {
 public:
  explicit Gunzip(std::string origin);

  /// Takes from `packed` what it can and adds to the room of `out`, of which there must be some.
  /// All of this piece is unpacked when `packed` is empty and `out` is not full.
  void unpack(std::string_view& packed, ByteBuffer& out);
  /// The file ends here.
  void finish() const;

 private:
  enum class Place { in_member, after_member, after_first_mark, in_padding };
  struct End {
    void operator()(z_stream_s* stream) const;
  };

  void unpack_member(std::string_view& packed, ByteBuffer& out);
  /// What follows a member: another one, zeros, or what must not be there.
  void pass_end(std::string_view& packed);
  void start_next_member();
  [[noreturn]] void fail(const char* what) const;

  std::string origin_;
  std::unique_ptr<z_stream_s, End> stream_;
  Place place_ = Place::in_member;
};

/// All of a gzip file at once; no more of what cannot be a text than shows that. Throws Error if
/// it is damaged or goes beyond the limit.
ByteBuffer gunzip(std::string_view packed, const std::string& origin, const TextLimit& limit);

/// The first `most` bytes of what is packed, or fewer if `packed`, the start of a gzip file, does
/// not hold more or is damaged.
std::string gunzip_start(std::string_view packed, std::size_t most);

}  // namespace softwood
