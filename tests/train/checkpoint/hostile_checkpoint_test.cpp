// A checksum tells damage, not intent: what stands behind a right one is checked like anything
// else.
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "softwood/error.h"
#include "train/checkpoint/checkpoints.h"
#include "train/checkpoint/small_course.h"

namespace softwood {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class HostileCheckpoint : public testing::Test {
 protected:
  ~HostileCheckpoint() override {
    fs::remove(path_);
    fs::remove(path_before(path_));
  }

  /// What resuming from a checkpoint that says this of itself comes to; "" if it is taken.
  std::string complaint(const json& about) const {
    write_checkpoint(path_, {.about = about, .state = "state"});
    fs::remove(path_before(path_));
    const auto ignore = [](const std::string&) {};
    try {
      Checkpoints({.path = path_, .resume = true}, SmallCourse::options(), {ignore, ignore},
                  [](bool) {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  const std::string path_ = fmt::format("{}hostile_{}.point", testing::TempDir(), getpid());
};

/// A list in a list, so deep.
json nested(int depth) {
  json value = json::array();
  for (int k = 0; k < depth; ++k) value = json::array({std::move(value)});
  return value;
}

/// Every place of it, as a JSON pointer.
std::set<std::string> places_of(const json& about) {
  std::set<std::string> places;
  const json flat = about.flatten();
  for (const auto& [place, leaf] : flat.items()) {
    for (json::json_pointer each(place); !each.empty(); each = each.parent_pointer())
      places.insert(each.to_string());
  }
  return places;
}

TEST_F(HostileCheckpoint, a_description_of_other_types_is_an_error_wherever_it_is) {
  const json about = SmallCourse::about();
  ASSERT_EQ(complaint(about), "");
  int refused = 0;
  for (const std::string& place : places_of(about)) {
    for (const json& value : {json(), json(-1), json::object(), nested(20)}) {
      json other = about;
      other[json::json_pointer(place)] = value;
      // Only that nothing but an Error comes can be told of all of them.
      refused += complaint(other).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(HostileCheckpoint, a_description_that_lacks_something_is_damaged) {
  for (const char* parts :
       {"/run", "/run/simd", "/run/options", "/data", "/data/training", "/data/training/rows",
        "/data/losses", "/data/splits", "/data/start", "/ended"}) {
    const json::json_pointer place(parts);
    json other = SmallCourse::about();
    other[place.parent_pointer()].erase(place.back());
    EXPECT_THAT(complaint(other), testing::HasSubstr("is damaged")) << parts;
    other[place] = nullptr;
    EXPECT_THAT(complaint(other), testing::HasSubstr("is damaged")) << parts;
  }
}

TEST_F(HostileCheckpoint, a_description_in_lists_in_lists_is_refused) {
  json about = SmallCourse::about();
  about["run"]["options"]["zzz"] = nested(2000);
  EXPECT_THAT(complaint(about), testing::HasSubstr("no description"));
}

/// A change of a state's bytes: a number, some bytes less, some more.
std::string mutant_of(std::string bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr std::uint64_t kNan = std::uint64_t{0x7FF8} << 48;
  const std::uint64_t numbers[] = {
      0, 1, 2, kNan, ~0ULL, 1ULL << 62, 255, 1ULL << 32, std::uint64_t{0x7FC00000} * 0x100000001};
  const std::size_t at = random() % bytes.size();
  switch (random() % 8) {
    case 0:
      return bytes.erase(at, 1 + random() % 64);
    case 1:
      return bytes.insert(at, 1 + random() % 64, static_cast<char>(random() % 3));
    case 2:
      bytes[at] = static_cast<char>(random());
      return bytes;
    default: {
      const std::uint64_t number = numbers[random() % std::size(numbers)];
      std::memcpy(bytes.data() + at, &number, std::min(sizeof number, bytes.size() - at));
      return bytes;
    }
  }
}

TEST(HostileState, of_a_thousand_mutants_each_is_refused_or_can_be_gone_on_from) {
  const SmallCourse course;
  const std::string whole = to_bytes(course.state());
  int refused = 0;
  constexpr int kMutants = 1000;
  for (int seed = 0; seed < kMutants; ++seed) {
    Trainer trainer = course.trainer();
    try {
      trainer.set_state(run_state_from_bytes(mutant_of(whole, static_cast<std::uint64_t>(seed))));
      trainer.run();  // which may meet what is not finite, as any training may
      EXPECT_TRUE(trainer.is_finished()) << seed;
    } catch (const Error&) {
      ++refused;
    }
  }
  // Numbers that are only other numbers may be taken; sizes and kinds may not.
  EXPECT_GT(refused, kMutants / 4);
  EXPECT_LT(refused, kMutants);
}

TEST(HostileState, a_flag_that_is_neither_true_nor_false_is_refused) {
  RunState state;
  state.groups.resize(1);
  std::string bytes = to_bytes(state);
  RunState finished = state;
  finished.groups[0].is_finished = true;
  const std::string other = to_bytes(finished);
  std::size_t flag = 0;
  while (bytes[flag] == other[flag]) ++flag;
  bytes[flag] = 2;
  EXPECT_THROW(run_state_from_bytes(bytes), Error);
}

TEST(HostileState, counts_that_no_bytes_stand_for_take_no_memory) {
  const SmallCourse course;
  const std::string whole = to_bytes(course.state());
  for (std::size_t at = 0; at + 8 <= std::min<std::size_t>(whole.size(), 400); at += 4) {
    for (const std::uint64_t count : {1ULL << 20, 1ULL << 40, 1ULL << 62, ~0ULL}) {
      std::string bytes = whole;
      std::memcpy(bytes.data() + at, &count, sizeof count);
      Trainer trainer = course.trainer();
      try {
        trainer.set_state(run_state_from_bytes(bytes));
      } catch (const Error&) {
      }
    }
  }
}

}  // namespace
}  // namespace softwood
