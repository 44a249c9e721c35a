#include "data/file/file_kind.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "data/file/gunzip.h"
#include "data/text/cell_text.h"

namespace softwood {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kFirstBytes = 4096;
/// A zip file's list of contents stands at its end.
constexpr std::size_t kLastBytes = std::size_t{1} << 16;

struct Signature {
  FileKind kind;
  std::size_t place;
  std::string_view bytes;
  bool could_be_text = false;  // then a byte that no text has must follow
};

constexpr Signature kSignatures[] = {
    {FileKind::parquet, 0, "PAR1", true},
    {FileKind::parquet, 0, "PARE", true},
    {FileKind::arrow, 0, "ARROW1\0\0"sv},
    {FileKind::arrow, 0, "FEA1", true},
    {FileKind::orc, 0, "ORC", true},
    {FileKind::old_excel, 0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"},
    {FileKind::sqlite, 0, "SQLite format 3\0"sv},
    {FileKind::bzip2, 4, "1AY&SY", true},
    {FileKind::xz, 0,
     "\xFD"
     "7zXZ\0"sv},
    {FileKind::zstd, 0, "\x28\xB5\x2F\xFD"},
    {FileKind::numpy, 0, "\x93NUMPY"},
    {FileKind::stata, 0, "<stata_dta>"},
    {FileKind::sas, 12, "\xC2\xEA\x81\x60\xB3\x14\x11\xCF"},
    {FileKind::sas_transport, 0, "HEADER RECORD*******LIB"},
    {FileKind::spss, 0, "$FL2@(#)"},
    {FileKind::r_data, 0, "RDX2\n"},
    {FileKind::r_data, 0, "RDX3\n"},
    {FileKind::r_data, 0, "X\n\0\0\0"sv},
    {FileKind::hdf5, 0, "\x89HDF\r\n\x1A\n"},
    {FileKind::pdf, 0, "%PDF-"},
    {FileKind::utf16, 0, "\xFF\xFE"},
    {FileKind::utf16, 0, "\xFE\xFF"},
};

bool has_byte_of_no_text(std::string_view bytes) {
  return std::any_of(bytes.begin(), bytes.end(), [](char byte) {
    return static_cast<unsigned char>(byte) < 0x20 &&
           "\t\n\v\f\r"sv.find(byte) == std::string::npos;
  });
}

bool fits(const Signature& signature, std::string_view first) {
  if (first.size() < signature.place) return false;
  if (!first.substr(signature.place).starts_with(signature.bytes)) return false;
  return !signature.could_be_text || has_byte_of_no_text(first);
}

bool contains(std::string_view bytes, std::string_view part) {
  return bytes.find(part) != std::string_view::npos;
}

std::size_t little_endian(std::string_view bytes, std::size_t place, std::size_t size) {
  std::size_t value = 0;
  for (std::size_t at = size; at-- > 0;) {
    value = value * 256 + static_cast<unsigned char>(bytes[place + at]);
  }
  return value;
}

/// Whether an archive lists a workbook: by the names in the directory at its end, since what is
/// packed in it may be another archive.
bool lists_workbook(std::string_view last) {
  constexpr std::size_t kEntrySize = 46, kEndSize = 22;
  const std::size_t end = last.rfind("PK\5\6");
  if (end == std::string_view::npos || last.size() - end < kEndSize) return false;
  const std::size_t size = little_endian(last, end + 12, 4);
  if (size > end) return false;
  std::string_view left = last.substr(end - size, size);
  while (left.size() > kEntrySize && left.starts_with("PK\1\2")) {
    const std::size_t name = little_endian(left, 28, 2);
    if (left.substr(kEntrySize, name).starts_with("xl/workbook.")) return true;
    const std::size_t entry =
        kEntrySize + name + little_endian(left, 30, 2) + little_endian(left, 32, 2);
    left.remove_prefix(std::min(entry, left.size()));
  }
  return false;
}

FileKind kind_of_zip(std::string_view first, std::string_view last) {
  if (lists_workbook(last)) return FileKind::excel;
  const bool document = contains(first, "application/vnd.oasis.opendocument.spreadsheet");
  return document ? FileKind::open_document : FileKind::zip;
}

/// The marks that are not merely bytes at a place.
bool is_arrow_stream(std::string_view first) {
  // A mark, then the length of the schema: some bytes, padded to eight.
  return first.size() > 8 && first.starts_with("\xFF\xFF\xFF\xFF") && first[7] == '\0' &&
         static_cast<unsigned char>(first[4]) % 8 == 0;
}

bool is_pickle(std::string_view first) {
  return first.size() > 2 && first[0] == '\x80' && first[1] >= 2 && first[1] <= 5;
}

/// Stata until version 12: 113 … 115 and the order of bytes.
bool is_old_stata(std::string_view first) {
  return first.size() > 3 && first[0] >= 113 && first[0] <= 115 &&
         (first[1] == 1 || first[1] == 2) && first[2] == 1;
}

bool is_model(std::string_view first) {
  return first.size() > 8 && first.substr(8).starts_with("{\"__metadata__\"") &&
         contains(first, "\"format\":\"softwood\"");
}

/// Every second byte is NUL and no other, as in Latin letters without a byte order mark.
bool is_utf16_without_mark(std::string_view first) {
  std::size_t nuls[2] = {0, 0};
  for (std::size_t at = 0; at < first.size(); ++at) nuls[at % 2] += first[at] == '\0' ? 1 : 0;
  const std::size_t most = std::max(nuls[0], nuls[1]);
  return first.size() >= 8 && std::min(nuls[0], nuls[1]) == 0 && most >= first.size() * 4 / 10;
}

FileKind kind_of_text(std::string_view first) {
  if (first.starts_with("\xEF\xBB\xBF")) first.remove_prefix(3);
  const auto skip_blanks = [&] {
    first.remove_prefix(std::min(first.find_first_not_of(" \t\r\n"), first.size()));
  };
  skip_blanks();
  const std::string start = lower_case(first.substr(0, 16));
  if (start.starts_with("<!doctype html") || start.starts_with("<html")) return FileKind::html;
  if (start.starts_with("<?xml")) return FileKind::xml;
  const char bracket = first.empty() ? '\0' : first.front();
  if (bracket != '{' && bracket != '[') return FileKind::text;
  first.remove_prefix(1);
  skip_blanks();
  const char next = first.empty() ? '\0' : first.front();
  if (bracket == '{') return next == '"' ? FileKind::json_lines : FileKind::text;
  return next == '{' || next == '[' ? FileKind::json : FileKind::text;
}

}  // namespace

FileKind find_kind_of_bytes(std::string_view first, std::string_view last) {
  first = first.substr(0, kFirstBytes);
  last = last.substr(last.size() - std::min(last.size(), kLastBytes));
  for (const Signature& signature : kSignatures) {
    if (fits(signature, first)) return signature.kind;
  }
  if (first.starts_with("PK\3\4") || first.starts_with("PK\5\6")) return kind_of_zip(first, last);
  if (is_arrow_stream(first)) return FileKind::arrow_stream;
  if (is_pickle(first)) return FileKind::pickle;
  if (is_old_stata(first)) return FileKind::stata;
  if (is_model(first)) return FileKind::model;
  if (is_utf16_without_mark(first)) return FileKind::utf16;
  return kind_of_text(first);
}

FileKind find_file_kind(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return FileKind::text;
  std::ifstream file(path, std::ios::binary);
  const auto read = [&](std::size_t count) {
    std::string bytes(count, '\0');
    file.clear();
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
  };
  std::string first = read(kFirstBytes);
  if (is_gzip(first)) first = gunzip_start(first, kFirstBytes);
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  file.seekg(static_cast<std::streamoff>(size - std::min<std::uintmax_t>(size, kLastBytes)));
  return find_kind_of_bytes(first, read(kLastBytes));
}

}  // namespace softwood
