#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "data/arrow/hand_made_arrow.h"
#include "data/arrow/reader.h"
#include "fuzz/byte_source.h"
#include "fuzz/targets.h"
#include "softwood/error.h"

namespace softwood::fuzz {
namespace {

constexpr std::array kFormats = {"c",
                                 "C",
                                 "s",
                                 "S",
                                 "i",
                                 "I",
                                 "l",
                                 "L",
                                 "e",
                                 "f",
                                 "g",
                                 "b",
                                 "u",
                                 "U",
                                 "vu",
                                 "n",
                                 "tdD",
                                 "tdm",
                                 "tss:",
                                 "tsn:Z",
                                 "ttm",
                                 "ttu",
                                 "tDs",
                                 "d:5,2",
                                 "d:9,-3",
                                 "d:5,2,32",
                                 "d:5,2,256",
                                 "d:1,2147483648",
                                 "d:1,-2147483648",
                                 "d:1,2,7",
                                 "+l",
                                 "z",
                                 "w:3",
                                 "tiM",
                                 "+s",
                                 ""};
constexpr std::array kIndexFormats = {"c", "C", "s", "i", "I", "L", "g", "u"};
constexpr std::array<std::int64_t, 6> kEvilCounts = {-1,
                                                     std::numeric_limits<std::int64_t>::min(),
                                                     std::numeric_limits<std::int64_t>::max(),
                                                     std::int64_t{1} << 62,
                                                     std::int64_t{1} << 33,
                                                     1'000'000};

/// Arrays whose buffers are as large as their own lengths say, for a consumer cannot know better;
/// whatever else it can see may be wrong.
class Frame {
 public:
  explicit Frame(std::string_view bytes) : source_(bytes) {}

  void read() {
    const bool is_table = !source_.one_in(4);
    std::vector<HandMadeType> types;
    for (std::size_t k = 0; k < 1 + source_.below(3); ++k) types.push_back(type(k));
    std::vector<HandMadeArray> arrays;
    for (std::size_t k = 0; k < source_.below(4); ++k) {
      const std::size_t num_rows = source_.below(10);
      arrays.push_back(is_table ? batch(types, num_rows) : array(types[0], num_rows));
    }
    const HandMadeType whole =
        is_table ? HandMadeType{.format = "+s", .name = "", .children = types} : types[0];
    HandMadeStream stream(whole, std::move(arrays));
    ArrowArrayStream handle = stream.make();
    try {
      const ReadOptions options{.read_as = {{"c0", {static_cast<ColumnKind>(source_.below(3))}}}};
      const Table table = read_arrow(&handle, options, {}, source_.one_in(2));
      for (const Column& column : table.columns()) {
        for (std::size_t row = 0; row < column.size(); ++row) column.text(row);
      }
    } catch (const Error&) {
    }
    if (stream.num_made != stream.num_released) throw std::logic_error("an array was not released");
  }

 private:
  HandMadeType type(std::size_t number) {
    HandMadeType type{.format = source_.one_of(kFormats), .name = "c" + std::to_string(number)};
    if (source_.one_in(20)) type.format = source_.text(source_.below(12));
    if (source_.one_in(4)) {
      type.dictionary = std::make_shared<HandMadeType>(HandMadeType{type.format});
      type.format = source_.one_of(kIndexFormats);
    }
    return type;
  }

  HandMadeArray batch(const std::vector<HandMadeType>& types, std::size_t num_rows) {
    HandMadeArray batch{.length = static_cast<std::int64_t>(num_rows), .buffers = {std::nullopt}};
    if (source_.one_in(8)) batch.offset = static_cast<std::int64_t>(source_.below(3));
    const auto rows = num_rows + static_cast<std::size_t>(batch.offset);
    for (const HandMadeType& each : types) batch.children.push_back(array(each, rows));
    if (source_.one_in(16)) batch.children.resize(source_.below(5));
    return spoilt(batch);
  }

  HandMadeArray array(const HandMadeType& type, std::size_t num_rows) {
    HandMadeArray array{.length = static_cast<std::int64_t>(num_rows), .buffers = {}};
    if (source_.one_in(8)) array.offset = static_cast<std::int64_t>(source_.below(3));
    const auto cells = num_rows + static_cast<std::size_t>(array.offset);
    add_buffers(type.format, cells, array);
    if (source_.one_in(3) && !array.buffers.empty()) {
      array.buffers[0] = noise((cells + 7) / 8);
      array.null_count = -1;
    }
    if (type.dictionary != nullptr && !source_.one_in(16)) {
      array.dictionary =
          std::make_shared<HandMadeArray>(this->array(*type.dictionary, source_.below(6)));
    }
    return spoilt(array);
  }

  /// What contradicts itself in a way that can be seen.
  HandMadeArray spoilt(HandMadeArray array) {
    if (!source_.one_in(12)) return array;
    switch (source_.below(6)) {
      case 0:
        array.length = -1 - static_cast<std::int64_t>(source_.below(5));
        break;
      case 1:
        array.offset =
            source_.one_of(std::array<std::int64_t, 3>{-1, std::numeric_limits<std::int64_t>::min(),
                                                       std::numeric_limits<std::int64_t>::max()});
        break;
      case 2:
        array.null_count = source_.one_of(kEvilCounts);
        break;
      case 3:
        array.buffers.resize(source_.below(array.buffers.size() + 1));
        break;
      case 4:
        if (!array.buffers.empty()) array.buffers[source_.below(array.buffers.size())].reset();
        break;
      default:
        // Without a buffer, lengths cost nothing to claim.
        array.length = source_.one_of(kEvilCounts);
        for (auto& buffer : array.buffers) buffer.reset();
    }
    return array;
  }

  /// As large as the widest type needs: 32 bytes a cell, and offsets within the texts.
  void add_buffers(const std::string& format, std::size_t cells, HandMadeArray& array) {
    if (format == "n" || format == "+s") return;
    array.buffers = {std::nullopt};
    if (format == "u" || format == "U") {
      array.buffers.push_back(format == "u" ? offsets<std::int32_t>(cells)
                                            : offsets<std::int64_t>(cells));
      array.buffers.push_back(std::string(kTextBytes, 'a'));
    } else if (format == "vu") {
      array.buffers.push_back(views(cells));
      array.buffers.push_back(std::string(kTextBytes, 'b'));
      array.buffers.push_back(bytes_of<std::int64_t>({kTextBytes}));
    } else {
      array.buffers.push_back(noise(32 * cells));
    }
  }

  template <class Offset>
  std::string offsets(std::size_t cells) {
    std::vector<Offset> offsets{0};
    for (std::size_t k = 0; k < cells; ++k)
      offsets.push_back(static_cast<Offset>(std::min<std::size_t>(
          kTextBytes, static_cast<std::size_t>(offsets.back()) + source_.below(4))));
    if (source_.one_in(12)) offsets[source_.below(offsets.size())] = source_.one_in(2) ? -1 : 9;
    return bytes_of(offsets);
  }

  /// Short ones in place, long ones in the buffer behind; or anywhere else.
  std::string views(std::size_t cells) {
    std::vector<std::int32_t> views;
    for (std::size_t k = 0; k < cells; ++k) {
      const auto length = static_cast<std::int32_t>(source_.below(20));
      views.insert(views.end(), {length, 0x61616161, 0, static_cast<std::int32_t>(k)});
    }
    if (source_.one_in(8) && !views.empty()) {
      constexpr std::array kEvil = {-1, 1, 7, 1 << 30, std::numeric_limits<std::int32_t>::min()};
      views[source_.below(views.size())] = source_.one_of(kEvil);
    }
    return bytes_of(views);
  }

  std::string noise(std::size_t size) {
    std::string bytes = source_.text(std::min<std::size_t>(size, source_.below(64)));
    bytes.resize(size, '\1');
    return bytes;
  }

  static constexpr std::int64_t kTextBytes = 64;
  ByteSource source_;
};

}  // namespace

void arrow(std::string_view bytes) {
  Frame(bytes).read();
}

}  // namespace softwood::fuzz
