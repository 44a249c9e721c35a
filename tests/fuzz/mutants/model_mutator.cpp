#include "fuzz/mutants/model_mutator.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "fuzz/mutants/chance.h"
#include "fuzz/mutants/model_pieces.h"

namespace softwood::fuzz {
namespace {

using nlohmann::json;

json raw(const std::string& text) {
  return std::string(kRaw) + text;
}

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t k = 0; k < count; ++k) text += part;
  return text;
}

/// What a program that expects another value may stumble over.
const std::vector<json>& evil_values() {
  static const std::vector<json> values = {0,
                                           -1,
                                           1,
                                           2,
                                           3,
                                           7,
                                           0.5,
                                           2.9,
                                           -0.0,
                                           1e308,
                                           -1e308,
                                           5e-324,
                                           1e-300,
                                           3.5e38,
                                           std::int64_t{1} << 31,
                                           -(std::int64_t{1} << 31),
                                           (std::int64_t{1} << 32) + 2,
                                           std::int64_t{1} << 53,
                                           std::int64_t{1} << 62,
                                           std::numeric_limits<std::uint64_t>::max(),
                                           std::numeric_limits<std::int64_t>::min(),
                                           2'000'000,
                                           nullptr,
                                           true,
                                           false,
                                           "",
                                           "zzz",
                                           "0",
                                           "\x1b[2J",
                                           json::array(),
                                           json::object(),
                                           json::array({json::array()}),
                                           {0},
                                           {1, 2, 3},
                                           {{"number", "inf"}},
                                           {{"number", "nan"}},
                                           {{"number", 1}},
                                           raw("1e999"),
                                           raw("-1E400"),
                                           raw("NaN"),
                                           raw("01"),
                                           raw(repeated("9", 400)),
                                           raw("0." + repeated("0", 400) + "1"),
                                           raw(repeated("[", 20) + repeated("]", 20)),
                                           raw(repeated("[", 5000) + repeated("]", 5000)),
                                           raw(repeated("[", 5000)),
                                           std::string(5000, 'x')};
  return values;
}

constexpr const char* kLosses[] = {
    "",
    "#",
    "loss = (y-f)^2",
    "loss = (y-f)^2\nmean = f",
    "outputs f\nloss = (y-f)^2\nprobability = f",
    "outputs f[3]\nloss = logsumexp(f) - f[y]\nprobability = softmax(f)",
    "outputs f[classes]\nloss = logsumexp(f) - f[y]\nprobability = softmax(f)",
    "outputs f[4097]\nloss = sum(f)",
    "outputs f[4000]\nloss = sum(softmax(f)^2)",
    "outputs f, g\nloss = (y-f)^2 + g^2\nmean = f",
    "loss = (y-f)^2\nmean = f\ncdf(q) = 1/0",
    "loss = (y-f)^2\nmean = f\ncdf(q) = q*0",
    "loss = (y-f)^2\nmean = f\ncdf(q) = if(q > y, 1, -1)",
    "loss = (y-f)^2\nmean = f\ncdf(q) = sigmoid(floor(q) - f)",
    "loss = (y-f)^2/a\nmean = f*a",
    "loss = (y-f)^2\nmean = log(-1)\nvariance = 1/0",
    "outputs `\x1b[2J`\nloss = (y-`\x1b[2J`)^2\nmean = 1",
    "loss = (y-f)^2\ncensored n > 1\nmean = f\ncdf(q) = sigmoid(q-f)",
};

class Mutation {
 public:
  Mutation(ModelPieces& pieces, Chance& chance) : pieces_(pieces), chance_(chance) {}

  void apply() {
    switch (chance_.below(12)) {
      case 0:
        return change_numbers();
      case 1:
        return change(pieces_.tensors);
      case 2:
        return change_task();
      case 3:
        return change_members();
      case 4:
        return change_metadata();
      default:
        return change(pieces_.description);
    }
  }

 private:
  /// A value somewhere in a description, and where it hangs. Deep ones are as likely as others.
  struct Place {
    json* parent = nullptr;
    json* value = nullptr;
    json::iterator at{};
  };

  Place place_in(json& root) {
    Place place{nullptr, &root, {}};
    while (place.value->is_structured() && !place.value->empty()) {
      if (place.parent != nullptr && chance_.one_in(6)) break;
      json& parent = *place.value;
      auto at = parent.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(chance_.below(parent.size())));
      place = {&parent, &*at, at};
    }
    return place;
  }

  void change(json& root) {
    const Place place = place_in(root);
    json& value = *place.value;
    switch (chance_.below(8)) {
      case 0:
      case 1:
        value = chance_.one_of(evil_values());
        return;
      case 2:
        if (place.parent != nullptr) place.parent->erase(place.at);
        return;
      case 3:
        return double_entry(place);
      case 4: {
        const json copy = *place_in(root).value;
        *place.value = copy;
        return;
      }
      default:
        return change_a_little(value);
    }
  }

  void double_entry(const Place& place) {
    if (place.parent == nullptr) return;
    if (place.parent->is_array()) {
      const std::size_t copies = chance_.one_in(4) ? 2000 : 1;
      const json copy = *place.value;
      if (copy.dump().size() * copies > 100'000) return;
      place.parent->insert(place.at, copies, copy);
    } else if (chance_.one_in(2)) {
      place.parent->emplace(std::string(kTwin) + place.at.key(), chance_.one_of(evil_values()));
    } else {
      const json copy = *place.value;
      const std::string key = chance_.one_in(2) ? "zzz" : place.at.key() + "x";
      if (chance_.one_in(2)) place.parent->erase(place.at);
      place.parent->emplace(key, copy);
    }
  }

  void change_a_little(json& value) {
    if (value.is_boolean()) {
      value = !value.get<bool>();
    } else if (value.is_number_unsigned()) {
      const auto number = value.get<std::uint64_t>();
      const std::uint64_t others[] = {number + 1, number - 1, number * 2, number / 2, number ^ 64};
      value = chance_.one_of(others);
    } else if (value.is_number()) {
      const double number = value.get<double>();
      const double others[] = {
          -number,       number * 2,     number + 1,        std::nextafter(number, 1e300),
          number * 1e30, number * 1e-30, std::floor(number)};
      value = chance_.one_of(others);
    } else if (value.is_string()) {
      auto text = value.get<std::string>();
      const char* parts[] = {"\n", "0", "\x1b", "`", "f", "\xff", "\xe2\x80\xae", "="};
      text.insert(chance_.below(text.size() + 1), chance_.one_of(parts));
      if (chance_.one_in(2)) text.erase(chance_.below(text.size()), 1 + chance_.below(20));
      value = text;
    } else if (value.is_array() && !value.empty()) {
      std::swap(value[chance_.below(value.size())], value[chance_.below(value.size())]);
      if (chance_.one_in(2)) value.erase(value.size() - 1);
    }
  }

  void change_task() {
    json& tasks = pieces_.description["tasks"];
    if (!tasks.is_array() || tasks.empty()) return;
    json& task = tasks[chance_.below(tasks.size())];
    if (!task.is_object()) return;
    json labels = json::array();
    const std::size_t count = chance_.one_of(std::vector<std::size_t>{0, 1, 2, 3, 5, 1000, 20000});
    for (std::size_t k = 0; k < count; ++k) labels.push_back(std::to_string(k));
    if (chance_.one_in(2)) task["labels"] = labels;
    if (!chance_.one_in(3) && task.contains("loss") && task["loss"].is_object())
      task["loss"]["text"] = chance_.one_of(kLosses);
    if (chance_.one_in(2)) return;
    for (const char* key : {"offset", "unit"})
      task[key] = std::vector<double>(chance_.below(4), 1.0);
  }

  /// What hangs together, changed together: trees and their tensors, or a member more.
  void change_members() {
    json& members = pieces_.description["members"];
    if (!members.is_array() || members.empty()) return;
    if (chance_.one_in(2)) return members.push_back(members[0]);
    if (chance_.one_in(2)) return members.clear();
    json& trees = members[chance_.below(members.size())]["trees"];
    if (!trees.is_object() || !trees["bundles"].is_array() || trees["bundles"].empty()) return;
    const json huge = chance_.one_of(evil_values());
    trees["bundles"][0]["trees"] = huge;
    for (const auto& [name, entry] : pieces_.tensors.items()) {
      if (name.find("linear") != name.npos || !entry.is_object()) continue;
      if (entry["shape"].is_array() && !entry["shape"].empty()) entry["shape"][0] = huge;
      if (chance_.one_in(2)) entry["data_offsets"] = {0, 0};
    }
  }

  void change_metadata() {
    const char* keys[] = {"version", "format", "softwood", "zzz"};
    const char* values[] = {"3",       "4", "5", "6", "7", "", "\x1b[2J", "99999999999999999999",
                            "softwood"};
    pieces_.metadata[chance_.one_of(keys)] = chance_.one_of(values);
  }

  void change_numbers() {
    std::string& numbers = pieces_.numbers;
    if (chance_.one_in(8)) return numbers.resize(chance_.below(numbers.size() + 9));
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float evil[] = {kInfinity, -kInfinity, std::nanf(""), 3e38F, -3e38F, 1e-45F, 0.0F, 1e6F};
    const std::size_t count = chance_.one_in(4) ? numbers.size() / 4 : 1 + chance_.below(3);
    const float value = chance_.one_of(evil);
    for (std::size_t k = 0; k < count && numbers.size() >= 4; ++k)
      std::memcpy(numbers.data() + 4 * chance_.below(numbers.size() / 4), &value, sizeof value);
  }

  ModelPieces& pieces_;
  Chance& chance_;
};

}  // namespace

std::string mutant_of(std::string_view model, std::uint64_t seed) {
  Chance chance(seed);
  ModelPieces pieces = take_apart(model);
  const std::size_t count = 1 + chance.below(3);
  for (std::size_t k = 0; k < count; ++k) {
    try {
      Mutation(pieces, chance).apply();
    } catch (const json::exception&) {
      // What it would change is not there any more, or of another type: changed before.
    }
  }
  return put_together(pieces);
}

}  // namespace softwood::fuzz
