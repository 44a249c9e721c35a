#include "model/file/tensor_places.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/file/damaged.h"

namespace softwood {
namespace {

/// Bytes of a tensor, if they are at most `most`: no product wraps.
bool takes_bytes(const std::vector<std::size_t>& shape, NumberType type, std::size_t bytes) {
  if (std::ranges::count(shape, std::size_t{0}) > 0) return bytes == 0;
  std::size_t left = bytes / bytes_of(type);
  for (const std::size_t extent : shape) {
    if (left % extent != 0) return false;
    left /= extent;
  }
  return left == 1 && bytes % bytes_of(type) == 0;
}

void check_place(const SafetensorsHeader::Entry& tensor, std::size_t num_bytes) {
  const std::size_t begin = tensor.data_offsets[0], end = tensor.data_offsets[1];
  if (begin > end || end > num_bytes) damaged("a tensor outside of the file");
  if (!takes_bytes(tensor.shape, tensor.type, end - begin)) damaged("a tensor of wrong size");
}

void check_side_by_side(std::vector<std::pair<std::size_t, std::size_t>> ranges,
                        std::size_t num_bytes) {
  std::ranges::sort(ranges);
  std::size_t next = 0;
  for (const auto& [begin, end] : ranges) {
    if (begin != next) damaged("tensors that overlap or leave gaps");
    next = end;
  }
  if (next != num_bytes) damaged("numbers that belong to no tensor");
}

}  // namespace

void check_tensor_places(const std::map<std::string, SafetensorsHeader::Entry>& tensors,
                         std::size_t num_bytes) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  ranges.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    check_place(tensor, num_bytes);
    ranges.emplace_back(tensor.data_offsets[0], tensor.data_offsets[1]);
  }
  check_side_by_side(std::move(ranges), num_bytes);
}

}  // namespace softwood
