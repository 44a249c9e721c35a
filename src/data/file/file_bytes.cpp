#include "data/file/file_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/thread_team.h"
#include "data/file/gunzip.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::size_t kFirstCapacity = std::size_t{1} << 16;
constexpr std::size_t kPieceBytes = std::size_t{1} << 22;
/// Linux reads at most this many bytes at once.
constexpr std::size_t kLargestRead = std::size_t{1} << 30;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A descriptor that closes itself; standard input stays open.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void fail_to_read(const std::string& origin) {
  throw Error(fmt::format("cannot read '{}': {}.", origin, std::strerror(errno)));
}

/// The size of a regular file; 0 for pipes and the like.
std::size_t expected_size(int descriptor) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  return static_cast<std::size_t>(info.st_size);
}

/// Appends what is left in the file; false at its end.
bool read_more(int descriptor, ByteBuffer& bytes, const std::string& origin) {
  if (bytes.size() == bytes.capacity()) bytes.reserve(2 * bytes.capacity());
  const std::size_t room = std::min(bytes.capacity() - bytes.size(), kLargestRead);
  const ssize_t count = ::read(descriptor, bytes.data() + bytes.size(), room);
  if (count < 0 && errno != EINTR) fail_to_read(origin);
  if (count > 0) bytes.resize(bytes.size() + static_cast<std::size_t>(count));
  return count != 0;
}

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

ByteBuffer read_all(const std::string& path, const std::string& origin, int threads) {
  const Descriptor file(path);
  if (file.number() < 0) fail_to_read(origin);
  const std::size_t size = expected_size(file.number());
  ByteBuffer bytes;
  // Room for the end to be seen, and for a last line end and padding to be added.
  bytes.reserve(std::max(size, kFirstCapacity) + 1 + FileBytes::kPadding);
  if (path != "-" && size > 2 * kPieceBytes) {
    read_in_pieces(file.number(), bytes, size, threads);
  }
  while (read_more(file.number(), bytes, origin)) {
  }
  return bytes;
}

void reject_utf16(std::string_view text, const std::string& origin) {
  if (!text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) return;
  throw Error(
      fmt::format("'{}' is UTF-16. Convert it to UTF-8, for example with "
                  "iconv -f UTF-16 -t UTF-8.",
                  origin));
}

}  // namespace

void ByteBuffer::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  char* grown = static_cast<char*>(std::realloc(data_.get(), capacity));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(data_.release());
  data_.reset(grown);
  capacity_ = capacity;
}

void ByteBuffer::push_back(char byte) {
  if (size_ == capacity_) reserve(capacity_ + capacity_ / 2 + 1);
  data_.get()[size_++] = byte;
}

FileBytes::FileBytes(const std::string& path, int threads)
    : origin_(path == "-" ? "standard input" : path) {
  bytes_ = read_all(path, origin_, threads);
  prepare();
}

FileBytes::FileBytes(std::string_view content, std::string origin) : origin_(std::move(origin)) {
  bytes_.reserve(content.size() + 1 + FileBytes::kPadding);
  std::copy(content.begin(), content.end(), bytes_.data());
  bytes_.resize(content.size());
  prepare();
}

std::shared_ptr<const FileBytes> FileBytes::map(const std::string& path, std::size_t fewest_bytes) {
  std::unique_ptr<MappedFile> mapped = MappedFile::open(path, fewest_bytes);
  if (mapped == nullptr) return nullptr;
  const std::string_view start = mapped->bytes().substr(0, kPieceBytes);
  const bool as_it_stands = !is_gzip(start) && !start.starts_with("\xFF\xFE") &&
                            !start.starts_with("\xFE\xFF") &&
                            start.find('\n') != std::string_view::npos;
  if (!as_it_stands) return nullptr;
  const std::shared_ptr<FileBytes> file(new FileBytes());
  file->origin_ = path;
  if (start.starts_with(kByteOrderMark)) file->first_ = kByteOrderMark.size();
  if (mapped->bytes().back() != '\n') mapped->end_last_line();
  file->mapped_ = std::move(mapped);
  return file;
}

void FileBytes::prepare() {
  if (is_gzip(bytes_.view())) bytes_ = gunzip(bytes_.view(), origin_);
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
