#include "data/file/spool.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "data/file/gunzip.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 16;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// False: it is no use to read on.
bool unpack_piece(Gunzip& gunzip, std::string_view packed, Spool& spool) {
  while (true) {
    ByteBuffer& out = spool.room();
    gunzip.unpack(packed, out);
    if (!spool.goes_on()) return false;
    if (packed.empty() && !out.is_full()) return true;
  }
}

}  // namespace

Spool::Spool(std::string origin, std::size_t fewest_in_file, std::size_t most)
    : origin_(std::move(origin)),
      fewest_in_file_(std::max<std::size_t>(1, fewest_in_file)),
      limit_(origin_, most) {
  bytes_.reserve(std::min(kFirstBytes, fewest_in_file_));
}

bool Spool::goes_on() const {
  limit_.check(written_ + bytes_.size());
  return !TextLimit::is_hopeless(bytes_.view().substr(seen_), written_ + bytes_.size());
}

ByteBuffer& Spool::room() {
  seen_ = bytes_.size();
  if (!bytes_.is_full()) return bytes_;
  if (file_ == nullptr && bytes_.capacity() >= fewest_in_file_) file_ = TemporaryFile::make();
  if (file_ != nullptr) {
    write();
    seen_ = 0;
    bytes_.reserve(kPieceBytes);
  } else if (bytes_.capacity() < fewest_in_file_) {
    bytes_.reserve(std::min(2 * bytes_.capacity(), fewest_in_file_));
  } else {
    bytes_.reserve(2 * bytes_.capacity());
  }
  return bytes_;
}

void Spool::write() {
  if (!file_->write(bytes_.view())) {
    throw Error(
        fmt::format("'{}' is large and can be read only once, so it is written to a temporary file "
                    "in '{}', which "
                    "takes no more than {} MB of it: {}. Make room for all of its text, or set "
                    "TMPDIR to another "
                    "folder.",
                    origin_, file_->folder(), written_ >> 20, std::strerror(errno)));
  }
  written_ += bytes_.size();
  bytes_.resize(0);
}

std::unique_ptr<MappedFile> Spool::take_file() {
  if (file_ == nullptr) return nullptr;
  write();
  bytes_ = {};
  auto mapped = MappedFile::take(file_->release(), 0);
  if (mapped == nullptr) throw std::bad_alloc();
  return mapped;
}

Spool spool(const InputFile& input, std::size_t fewest_in_file, std::size_t most) {
  Spool spool(input.origin(), fewest_in_file, most);
  ByteBuffer start;
  start.reserve(kFirstBytes);
  while (start.size() < 2 && input.read_more(start)) {
  }
  if (!is_gzip(start.view())) {
    for (std::string_view left = start.view(); !left.empty();) {
      ByteBuffer& room = spool.room();
      const std::size_t count = std::min(left.size(), room.capacity() - room.size());
      room.append(left.substr(0, count));
      left.remove_prefix(count);
    }
    while (spool.goes_on() && input.read_more(spool.room())) {
    }
    return spool;
  }
  Gunzip gunzip(input.origin());
  do {
    if (!unpack_piece(gunzip, start.view(), spool)) return spool;
    start.resize(0);
  } while (input.read_more(start));
  gunzip.finish();
  return spool;
}

}  // namespace softwood
