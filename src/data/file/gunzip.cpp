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
constexpr std::string_view kMark = "\x1F\x8B";

/// Unpacks into the free room of `out`; returns zlib's status.
int step(z_stream& stream, std::string_view& packed, ByteBuffer& out) {
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(std::min(packed.size(), kLargestStep));
  stream.next_out = reinterpret_cast<Bytef*>(out.data() + out.size());
  const std::size_t room = std::min(out.capacity() - out.size(), kLargestStep);
  stream.avail_out = static_cast<uInt>(room);
  const uInt before = stream.avail_in;
  const int status = inflate(&stream, Z_NO_FLUSH);
  packed.remove_prefix(before - stream.avail_in);
  out.resize(out.size() + room - stream.avail_out);
  return status;
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with(kMark);
}

void Gunzip::End::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}

Gunzip::Gunzip(std::string origin) : origin_(std::move(origin)), stream_(new z_stream{}) {
  if (inflateInit2(stream_.get(), kGzipOnly) != Z_OK) throw std::bad_alloc();
}

void Gunzip::fail(const char* what) const {
  throw Error(fmt::format("'{}' is gzip, but {}. Copy or download it again.", origin_, what));
}

void Gunzip::unpack(std::string_view& packed, ByteBuffer& out) {
  while (true) {
    if (place_ == Place::in_member) unpack_member(packed, out);
    if (place_ == Place::in_member || packed.empty()) return;
    pass_end(packed);
  }
}

void Gunzip::unpack_member(std::string_view& packed, ByteBuffer& out) {
  while (!out.is_full()) {
    const int status = step(*stream_, packed, out);
    if (status == Z_STREAM_END) place_ = Place::after_member;
    if (status == Z_STREAM_END) return;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_BUF_ERROR) fail("its content is damaged");
    if (packed.empty() && !out.is_full()) return;
  }
}

void Gunzip::pass_end(std::string_view& packed) {
  if (place_ == Place::after_member) {
    place_ = packed.front() == kMark[0] ? Place::after_first_mark : Place::in_padding;
    if (place_ == Place::after_first_mark) packed.remove_prefix(1);
  } else if (place_ == Place::after_first_mark) {
    if (packed.front() != kMark[1]) fail("other bytes follow its end");
    start_next_member();
    packed.remove_prefix(1);
  } else {
    if (packed.find_first_not_of('\0') != std::string_view::npos) {
      fail("other bytes follow its end");
    }
    packed = {};
  }
}

void Gunzip::start_next_member() {
  inflateReset(stream_.get());
  place_ = Place::in_member;
  // The mark may have come in two pieces; zlib is given it again.
  std::string_view mark = kMark;
  ByteBuffer nothing;
  nothing.reserve(1);
  step(*stream_, mark, nothing);
}

void Gunzip::finish() const {
  if (place_ == Place::in_member) fail("it ends too early");
  if (place_ == Place::after_first_mark) fail("other bytes follow its end");
}

ByteBuffer gunzip(std::string_view packed, const std::string& origin, const TextLimit& limit) {
  ByteBuffer out;
  out.reserve(4 * packed.size() + 64);
  Gunzip gunzip(origin);
  while (true) {
    const std::size_t seen = out.size();
    gunzip.unpack(packed, out);
    limit.check(out.size());
    if (!out.is_full()) break;
    if (TextLimit::is_hopeless(out.view().substr(seen), out.size())) return out;
    out.reserve(std::min(2 * out.capacity(), std::max(limit.most(), out.size()) + 1));
  }
  gunzip.finish();
  return out;
}

std::string gunzip_start(std::string_view packed, std::size_t most) {
  ByteBuffer out;
  out.reserve(most);
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) throw std::bad_alloc();
  step(stream, packed, out);
  inflateEnd(&stream);
  return std::string(out.view());
}

}  // namespace softwood
