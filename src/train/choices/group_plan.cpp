#include "train/choices/group_plan.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::string_view kOwn = "own_";

[[noreturn]] void refuse_groups(const std::string& text) {
  throw Error(fmt::format(
      "groups '{}' is not understood: write wide=48,narrow=48x2 for a group of 48 trees that see "
      "all columns and two of 48 that see a few each; own_wide and own_narrow are groups that "
      "every "
      "task has for itself.",
      text));
}

/// "48" or "48x2" → the sizes of the groups.
std::vector<int> group_sizes(const std::string& text, const std::string& whole) {
  int size = 0, times = 1;
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, size);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == 'x') {
    read = std::from_chars(read.ptr + 1, end, times);
  }
  if (read.ec != std::errc() || read.ptr != end || size < 1 || size > 1000000 || times < 1 ||
      times > 100) {
    refuse_groups(whole);
  }
  return std::vector<int>(static_cast<std::size_t>(times), size);
}

}  // namespace

std::vector<GroupSettings> parse_groups(const std::string& text) {
  std::vector<GroupSettings> groups;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string entry = text.substr(begin, end - begin);
    const std::size_t equals = entry.find('=');
    const bool is_private = entry.starts_with(kOwn);
    const std::size_t from = is_private ? kOwn.size() : 0;
    const std::string kind = entry.substr(from, equals - from);
    if (equals == std::string::npos || (kind != "wide" && kind != "narrow")) refuse_groups(text);
    for (const int size : group_sizes(entry.substr(equals + 1), text)) {
      GroupSettings& group = groups.emplace_back();
      group.is_narrow = kind == "narrow";
      group.is_private = is_private;
      group.num_trees = static_cast<std::size_t>(size);
    }
    begin = end + 1;
  }
  return groups;
}

std::vector<GroupSettings> share_out_trees(int num_trees, int num_narrow) {
  const bool few = num_trees < kLeastTreesToShare;
  if (few) num_narrow = std::min(1, num_narrow);
  const int narrow = few ? num_trees : num_trees / (1 + num_narrow);
  const int wide = few ? num_trees : num_trees - narrow * num_narrow;
  std::vector<GroupSettings> groups(1);
  groups[0].num_trees = static_cast<std::size_t>(wide);
  for (int group = 0; group < num_narrow; ++group) {
    groups.push_back({.is_narrow = true, .num_trees = static_cast<std::size_t>(narrow)});
  }
  return groups;
}

}  // namespace softwood
