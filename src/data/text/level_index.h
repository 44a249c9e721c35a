#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace softwood {

/// Distinct texts, numbered in order of first appearance.
class LevelIndex {
 public:
  LevelIndex() = default;
  // A copy would point into the original's map; a move takes the map's nodes along.
  LevelIndex(const LevelIndex&) = delete;
  LevelIndex& operator=(const LevelIndex&) = delete;
  LevelIndex(LevelIndex&&) = default;
  LevelIndex& operator=(LevelIndex&&) = default;
  ~LevelIndex() = default;

  /// The number of `text`, a new one if it was never seen.
  std::int32_t add(std::string_view text) {
    if (last_ != nullptr && *last_ == text) return last_number_;  // tables are often sorted
    auto found = numbers_.find(text);
    if (found == numbers_.end()) {
      found = numbers_.emplace(text, static_cast<std::int32_t>(texts_.size())).first;
      texts_.push_back(&found->first);
    }
    last_ = &found->first;
    last_number_ = found->second;
    return last_number_;
  }
  /// The number of `text`, −1 if it was never seen.
  std::int32_t find(std::string_view text) const {
    const auto found = numbers_.find(text);
    return found == numbers_.end() ? -1 : found->second;
  }

  std::size_t size() const { return texts_.size(); }
  const std::string& text(std::size_t number) const { return *texts_[number]; }
  std::vector<std::string> texts() const {
    std::vector<std::string> result;
    result.reserve(size());
    for (const std::string* text : texts_) result.push_back(*text);
    return result;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  // The map's keys stay where they are, so the texts are kept once.
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> texts_;
  const std::string* last_ = nullptr;
  std::int32_t last_number_ = -1;
};

}  // namespace softwood
