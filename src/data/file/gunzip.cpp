#include "data/file/gunzip.h"

#include <algorithm>
#include <limits>
#include <new>

#include <fmt/format.h>
#include <zlib.h>

#include "softwood/error.h"

namespace softwood {
namespace {

constexpr int kGzipOnly = 15 + 16;  // window bits: the largest window, gzip header and trailer
constexpr std::size_t kLargestStep = std::numeric_limits<uInt>::max();

[[noreturn]] void fail(const std::string& origin, const char* what) {
  throw Error(fmt::format("'{}' is gzip, but {}. Copy or download it again.", origin, what));
}

/// zlib's state for one file, released whatever happens.
class Inflater {
 public:
  explicit Inflater(std::string_view packed) : left_(packed) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string_view left() const { return left_; }
  void start_next_member() { inflateReset(&stream_); }

  /// Unpacks into the free room of `out`; returns zlib's status.
  int step(ByteBuffer& out) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(left_.data()));
    stream_.avail_in = static_cast<uInt>(std::min(left_.size(), kLargestStep));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + out.size());
    const std::size_t room = std::min(out.capacity() - out.size(), kLargestStep);
    stream_.avail_out = static_cast<uInt>(room);
    const uInt before = stream_.avail_in;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    left_.remove_prefix(before - stream_.avail_in);
    out.resize(out.size() + room - stream_.avail_out);
    return status;
  }

 private:
  z_stream stream_ = {};
  std::string_view left_;
};

void unpack_member(Inflater& inflater, ByteBuffer& out, const std::string& origin) {
  while (true) {
    if (out.size() == out.capacity()) out.reserve(2 * out.capacity());
    const int status = inflater.step(out);
    if (status == Z_STREAM_END) return;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_BUF_ERROR) fail(origin, "its content is damaged");
    if (inflater.left().empty() && out.size() < out.capacity()) {
      fail(origin, "it ends too early");
    }
  }
}

bool is_padding(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1F\x8B");
}

ByteBuffer gunzip(std::string_view packed, const std::string& origin) {
  ByteBuffer out;
  out.reserve(4 * packed.size() + 64);
  Inflater inflater(packed);
  unpack_member(inflater, out, origin);
  while (is_gzip(inflater.left())) {
    inflater.start_next_member();
    unpack_member(inflater, out, origin);
  }
  if (!is_padding(inflater.left())) fail(origin, "other bytes follow its end");
  return out;
}

std::string gunzip_start(std::string_view packed, std::size_t most) {
  ByteBuffer out;
  out.reserve(most);
  Inflater(packed).step(out);
  return std::string(out.view());
}

}  // namespace softwood
