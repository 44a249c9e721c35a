#include <cassert>

#include "data/encoder/encoder.h"

namespace softwood {

void Encoder::add_levels(std::size_t column, std::span<const std::string> levels) {
  assert(columns_[column].kind == EncodedColumn::Kind::levels);
  std::vector<std::string>& known = columns_[column].levels;
  known.insert(known.end(), levels.begin(), levels.end());
}

void Encoder::append(const Encoder& more) {
  for (const auto& [source, read] : more.read_as_) {
    const bool is_new = read_as_.emplace(source, read).second;
    assert(is_new);
    static_cast<void>(is_new);
  }
  columns_.insert(columns_.end(), more.columns_.begin(), more.columns_.end());
}

}  // namespace softwood
