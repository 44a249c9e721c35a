#include "model/file/learned_json.h"

#include "base/strict_json.h"

namespace softwood {
namespace {

using nlohmann::json;
/// Places in a table do not wrap.
constexpr std::size_t kMostRows = std::size_t{1} << 48;

}  // namespace

json learned_to_json(const std::vector<LearnedTable>& learned) {
  json list = json::array();
  for (const LearnedTable& table : learned) {
    list.push_back({{"rows", table.num_rows},
                    {"fingerprint", table.fingerprint},
                    {"seed", table.seed},
                    {"all_learned", table.all_learned}});
  }
  return list;
}

std::vector<LearnedTable> learned_from_json(const json& list) {
  std::vector<LearnedTable> learned;
  for (const json& text : list) {
    learned.push_back({.num_rows = strict_json::integer<std::size_t>(text, "rows", 0, kMostRows),
                       .fingerprint = strict_json::integer<std::uint64_t>(text, "fingerprint"),
                       .seed = strict_json::integer<std::uint64_t>(text, "seed"),
                       .all_learned = strict_json::flag(text, "all_learned")});
  }
  return learned;
}

}  // namespace softwood
