#include "data/file/file_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/thread_team.h"
#include "data/file/gunzip.h"
#include "data/file/input_file.h"
#include "data/file/spool.h"
#include "data/file/text_limit.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::size_t kFirstCapacity = std::size_t{1} << 16;
constexpr std::size_t kPieceBytes = std::size_t{1} << 22;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Fills bytes first … end − 1 from the same places of the file; returns how far it came.
std::size_t read_piece(int descriptor, char* bytes, std::size_t first, std::size_t end) {
  while (first < end) {
    const ssize_t count =
        ::pread(descriptor, bytes + first, end - first, static_cast<off_t>(first));
    if (count == 0 || (count < 0 && errno != EINTR)) return first;
    if (count > 0) first += static_cast<std::size_t>(count);
  }
  return first;
}

/// Reads a large file by several threads: the time goes into copying and into new pages.
void read_in_pieces(int descriptor, ByteBuffer& bytes, std::size_t size, int threads) {
  const std::size_t num_pieces = size / kPieceBytes + 1;
  std::vector<std::size_t> stops(num_pieces);
  ThreadTeam(threads).for_each(num_pieces, [&](std::size_t piece) {
    const std::size_t first = piece * kPieceBytes;
    stops[piece] = read_piece(descriptor, bytes.data(), first, std::min(first + kPieceBytes, size));
  });
  // Whatever stopped a piece, the plain reading that follows meets it again at the same place.
  std::size_t whole = 0;
  while (whole + 1 < num_pieces && stops[whole] == (whole + 1) * kPieceBytes) ++whole;
  bytes.resize(stops[whole]);
  ::lseek(descriptor, static_cast<off_t>(bytes.size()), SEEK_SET);
}

ByteBuffer read_all(const InputFile& file, int threads, std::size_t most_bytes) {
  const std::size_t size = file.size();
  ByteBuffer bytes;
  // Room for the end to be seen, and for a last line end and padding to be added.
  bytes.reserve(std::max(size, kFirstCapacity) + 1 + FileBytes::kPadding);
  if (size > 2 * kPieceBytes && file.is_at_start()) {
    read_in_pieces(file.descriptor(), bytes, size, threads);
  }
  const TextLimit limit(file.origin(), size > 0 ? SIZE_MAX : most_bytes);
  for (std::size_t seen = bytes.size(); file.read_more(bytes); seen = bytes.size()) {
    limit.check(bytes.size());
    if (size == 0 && TextLimit::is_hopeless(bytes.view().substr(seen), bytes.size())) break;
    if (bytes.is_full()) bytes.reserve(2 * bytes.capacity());
  }
  return bytes;
}

/// Its pages are let go as they are copied.
ByteBuffer copy(const MappedFile& file) {
  ByteBuffer bytes;
  bytes.reserve(file.bytes().size() + 1 + FileBytes::kPadding);
  for (std::string_view left = file.bytes(); !left.empty();) {
    const std::string_view piece = left.substr(0, kPieceBytes);
    bytes.append(piece);
    file.let_go(piece.data(), piece.data() + piece.size());
    left.remove_prefix(piece.size());
  }
  return bytes;
}

bool is_gzip_file(const InputFile& file) {
  char start[2] = {};
  return ::pread(file.descriptor(), start, 2, 0) == 2 && is_gzip({start, 2});
}

/// By the start of a text: not what has to be unpacked, refused or mended in memory.
bool can_be_read_as_it_stands(const MappedFile& file) {
  const std::string_view start = file.bytes().substr(0, kPieceBytes);
  return !is_gzip(start) && !start.starts_with("\xFF\xFE") && !start.starts_with("\xFE\xFF") &&
         start.find('\n') != std::string_view::npos;
}

/// nullptr unless it is a regular file of so many bytes. Standard input is then read to its end.
std::unique_ptr<MappedFile> map_file(const std::string& path, std::size_t fewest_bytes) {
  if (path != "-") return MappedFile::open(path, fewest_bytes);
  const InputFile input(path);
  if (input.size() == 0 || !input.is_at_start()) return nullptr;
  return MappedFile::take(::fcntl(input.descriptor(), F_DUPFD_CLOEXEC, 0), fewest_bytes);
}

void reject_utf16(std::string_view text, const std::string& origin) {
  if (!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return;
  throw Error(
      fmt::format("'{}' is UTF-16. Convert it to UTF-8, for example with "
                  "iconv -f UTF-16 -t UTF-8.",
                  origin));
}

}  // namespace

FileBytes::FileBytes(const std::string& path, int threads, std::size_t most_bytes)
    : FileBytes(InputFile(path), threads, most_bytes) {}

FileBytes::FileBytes(const InputFile& input, int threads, std::size_t most_bytes)
    : origin_(input.origin()) {
  bytes_ = read_all(input, threads, most_bytes);
  unpack(most_bytes);
  prepare();
}

FileBytes::FileBytes(std::string_view content, std::string origin, std::size_t most_bytes)
    : origin_(std::move(origin)) {
  bytes_.reserve(content.size() + 1 + FileBytes::kPadding);
  bytes_.append(content);
  unpack(most_bytes);
  prepare();
}

std::shared_ptr<const FileBytes> FileBytes::open(const std::string& path, std::size_t fewest_bytes,
                                                 int threads, std::size_t most_bytes) {
  if (auto mapped = map(path, fewest_bytes)) return mapped;
  const InputFile input(path);
  const bool can_be_had_again = path != "-" && input.size() > 0 && !is_gzip_file(input);
  return can_be_had_again
             ? std::shared_ptr<const FileBytes>(new FileBytes(input, threads, most_bytes))
             : spool_all(input, fewest_bytes, most_bytes);
}

std::shared_ptr<const FileBytes> FileBytes::spool_all(const InputFile& input,
                                                      std::size_t fewest_bytes,
                                                      std::size_t most_bytes) {
  Spool spooled = spool(input, fewest_bytes, most_bytes);
  const std::shared_ptr<FileBytes> file(new FileBytes());
  file->origin_ = input.origin();
  std::unique_ptr<MappedFile> mapped = spooled.take_file();
  if (mapped != nullptr && can_be_read_as_it_stands(*mapped)) {
    file->use(std::move(mapped));
  } else {
    file->bytes_ = mapped != nullptr ? copy(*mapped) : spooled.take_bytes();
    file->prepare();
  }
  return file;
}

std::shared_ptr<const FileBytes> FileBytes::map(const std::string& path, std::size_t fewest_bytes) {
  std::unique_ptr<MappedFile> mapped = map_file(path, fewest_bytes);
  if (mapped == nullptr || !can_be_read_as_it_stands(*mapped)) return nullptr;
  // Who reads standard input after us finds nothing, as after any other reading.
  if (path == "-") ::lseek(STDIN_FILENO, 0, SEEK_END);
  const std::shared_ptr<FileBytes> file(new FileBytes());
  file->origin_ = path == "-" ? "standard input" : path;
  file->use(std::move(mapped));
  return file;
}

void FileBytes::refuse_changed() const {
  if (mapped_ == nullptr || mapped_->is_unchanged()) return;
  throw Error(fmt::format(
      "'{}' has changed while it was being read. Start again, and leave it as it is meanwhile.",
      origin_));
}

void FileBytes::use(std::unique_ptr<MappedFile> mapped) {
  if (mapped->bytes().starts_with(kByteOrderMark)) first_ = kByteOrderMark.size();
  if (mapped->bytes().back() != '\n') mapped->end_last_line();
  mapped_ = std::move(mapped);
}

void FileBytes::unpack(std::size_t most_bytes) {
  if (is_gzip(bytes_.view()))
    bytes_ = gunzip(bytes_.view(), origin_, TextLimit(origin_, most_bytes));
}

void FileBytes::prepare() {
  reject_utf16(bytes_.view(), origin_);
  if (bytes_.view().starts_with(kByteOrderMark)) first_ = kByteOrderMark.size();
  if (text().empty()) throw Error(fmt::format("'{}' is empty.", origin_));
  if (text().find('\n') == std::string_view::npos) {
    std::replace(bytes_.data() + first_, bytes_.data() + bytes_.size(), '\r', '\n');
  }
  if (text().back() != '\n') bytes_.push_back('\n');
  bytes_.reserve(bytes_.size() + FileBytes::kPadding);
  std::fill_n(bytes_.data() + bytes_.size(), FileBytes::kPadding, '\0');
}

}  // namespace softwood
