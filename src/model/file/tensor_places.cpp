#include "model/file/tensor_places.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/strict_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const char* how) {
  throw Error(fmt::format("the file is no Softwood model, or it is damaged ({}).", how));
}

/// Bytes of a tensor, if they are at most `most`: no product wraps.
bool takes_bytes(const std::vector<std::size_t>& shape, std::size_t bytes) {
  if (std::ranges::count(shape, std::size_t{0}) > 0) return bytes == 0;
  std::size_t left = bytes / sizeof(float);
  for (const std::size_t extent : shape) {
    if (left % extent != 0) return false;
    left /= extent;
  }
  return left == 1 && bytes % sizeof(float) == 0;
}

TensorPlace place_from(const json& entry, std::size_t num_bytes) {
  if (strict_json::text(entry, "dtype") != "F32") fail("a tensor of unknown type");
  TensorPlace place;
  place.shape = strict_json::integers<std::size_t>(entry, "shape");
  const auto offsets = strict_json::integers<std::size_t>(entry, "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > num_bytes)
    fail("a tensor outside of the file");
  place.begin = offsets[0];
  place.end = offsets[1];
  if (!takes_bytes(place.shape, place.end - place.begin)) fail("a tensor of wrong size");
  return place;
}

void check_side_by_side(std::vector<std::pair<std::size_t, std::size_t>> ranges,
                        std::size_t num_bytes) {
  std::ranges::sort(ranges);
  std::size_t next = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin != next) fail("tensors that overlap or leave gaps");
    next = end;
  }
  if (next != num_bytes) fail("numbers that belong to no tensor");
}

}  // namespace

std::map<std::string, TensorPlace> find_tensors(const json& header, std::size_t num_bytes) {
  std::map<std::string, TensorPlace> places;
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const TensorPlace& place = places.emplace(name, place_from(entry, num_bytes)).first->second;
    ranges.emplace_back(place.begin, place.end);
  }
  check_side_by_side(std::move(ranges), num_bytes);
  return places;
}

}  // namespace softwood
