#include "model/file/bounded_json.h"

#include <string>

#include <nlohmann/json.hpp>

#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;

constexpr std::size_t kMostDepth = 32;
constexpr std::size_t kFreeBytes = std::size_t{32} << 20;
constexpr std::size_t kBytesPerByte = 6;

// What values take in memory, at most: in a growing list, and once more when it is given back;
// beside the lists, maps and texts on the heap.
constexpr std::size_t kValueBytes = 48, kKeyBytes = 96, kHeapBytes = 48;

/// Counts what a text would take, without building it.
class JsonCost : public json::json_sax_t {
 public:
  explicit JsonCost(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  bool null() override { return take(kValueBytes); }
  bool boolean(bool) override { return take(kValueBytes); }
  bool number_integer(number_integer_t) override { return take(kValueBytes); }
  bool number_unsigned(number_unsigned_t) override { return take(kValueBytes); }
  bool number_float(number_float_t, const string_t&) override { return take(kValueBytes); }
  bool string(string_t& text) override { return take(kValueBytes + kHeapBytes + text.size()); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(); }
  bool key(string_t& text) override { return take(kKeyBytes + text.size()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

 private:
  bool take(std::size_t bytes) {
    bytes_ += bytes;
    return bytes_ <= most_bytes_;
  }
  bool open() { return ++depth_ <= kMostDepth && take(kValueBytes + kHeapBytes); }
  bool close() {
    --depth_;
    return true;
  }

  std::size_t most_bytes_, bytes_ = 0, depth_ = 0;
};

}  // namespace

json parse_bounded_json(std::string_view text, std::size_t file_size) {
  JsonCost cost(kFreeBytes + kBytesPerByte * file_size);
  if (!json::sax_parse(text, &cost))
    throw Error("the model's description is unreadable, too deep or too large.");
  return json::parse(text);
}

}  // namespace softwood
