#include "softwood/model.h"

#include <cstdint>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <zlib.h>

#include "data/csv/reader.h"
#include "data/file/file_bytes.h"
#include "fuzz/targets.h"
#include "softwood/error.h"

namespace softwood::fuzz {
namespace {

/// What the models of the corpus read.
constexpr std::string_view kRows = "a,b,n,y\n1,x,2,1\n2.5,z,,0\n,,1,1\n";

/// A checksum keeps damage out, not intent: it is made right, or nothing behind it would be seen.
std::string with_checksum(std::string_view given) {
  std::string bytes(given);
  constexpr std::string_view kKey = "\"checksum\":\"";
  constexpr std::size_t kDigits = 8;
  const std::size_t key = bytes.find(kKey);
  if (key == std::string::npos || key + kKey.size() + kDigits > bytes.size()) return bytes;
  bytes.replace(key + kKey.size(), kDigits, kDigits, '0');
  const uLong sum = crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()),
                          static_cast<uInt>(bytes.size()));
  return bytes.replace(key + kKey.size(), kDigits, fmt::format("{:08x}", sum));
}

}  // namespace

void model(std::string_view bytes) {
  static const Table table = read_csv(FileBytes(kRows, "rows.csv"), ReadOptions{.threads = 1});
  try {
    const Model loaded = Model::from_bytes(with_checksum(bytes));
    loaded.describe();
    loaded.history();
    loaded.predict(table, 1);
    loaded.evaluate(table, 1);
  } catch (const Error&) {
  }
}

}  // namespace softwood::fuzz
