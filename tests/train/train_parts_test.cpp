#include "train/train_parts.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_table.h"
#include "softwood/error.h"
#include "task/raw_outputs.h"

namespace softwood {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

TrainOptions options_for(int members) {
  TrainOptions options = quick_options("y", "squared");
  options.members = members;
  options.threads = 2;
  return options;
}

ModelParts train_parts_of(const Table& table, const TrainOptions& options, const Hooks& hooks) {
  return train_parts({.table = &table}, options, hooks);
}

TEST(TrainParts, every_row_has_the_member_that_has_not_learned_from_it) {
  const Table table = synthetic_table(250);
  const ModelParts parts = train_parts_of(table, options_for(3), {});
  ASSERT_THAT(parts.members, SizeIs(3));
  ASSERT_THAT(parts.folds, SizeIs(250));
  for (std::int32_t member = 0; member < 3; ++member) {
    const MemberRecord& record = parts.members[static_cast<std::size_t>(member)].record;
    const auto own = std::count(parts.folds.begin(), parts.folds.end(), member);
    EXPECT_EQ(record.num_validation_rows, static_cast<std::size_t>(own));
    EXPECT_EQ(record.num_training_rows, static_cast<std::size_t>(250 - own));
  }
}

TEST(TrainParts, members_have_seeds_of_their_own_and_the_first_tells_how_all_went) {
  const ModelParts parts = train_parts_of(synthetic_table(250), options_for(3), {});
  std::set<std::uint64_t> seeds;
  for (const Member& member : parts.members) seeds.insert(member.record.seed);
  EXPECT_THAT(seeds, SizeIs(3));
  EXPECT_NE(parts.members[0].values, parts.members[1].values);
  EXPECT_THAT(parts.members[0].record.history, SizeIs(10));
  EXPECT_THAT(parts.members[1].record.history, SizeIs(0));
  EXPECT_EQ(parts.members[0].record.groups, parts.members[2].record.groups);
}

TEST(TrainParts, threads_share_out_members_without_changing_a_bit) {
  TrainOptions options = options_for(3);
  const ModelParts two = train_parts_of(synthetic_table(250), options, {});
  options.threads = 1;
  const ModelParts one = train_parts_of(synthetic_table(250), options, {});
  for (std::size_t member = 0; member < 3; ++member) {
    EXPECT_EQ(one.members[member].values, two.members[member].values);
    EXPECT_EQ(one.members[member].offset, two.members[member].offset);
  }
}

TEST(TrainParts, offsets_are_the_constants_unless_they_are_balanced) {
  TrainOptions options = options_for(1);
  options.balance = false;
  const ModelParts plain = train_parts_of(synthetic_table(250), options, {});
  EXPECT_EQ(plain.members[0].offset, constant_offsets(plain.tasks));
  options.balance = true;
  const ModelParts balanced = train_parts_of(synthetic_table(250), options, {});
  EXPECT_NE(balanced.members[0].offset, constant_offsets(balanced.tasks));
  EXPECT_EQ(balanced.members[0].values, plain.members[0].values);
}

TEST(TrainParts, who_stops_keeps_all_members_as_they_are) {
  Hooks hooks;
  hooks.on_epoch = [](const Progress& progress, const EpochResult&) { return progress.epoch < 2; };
  const ModelParts parts = train_parts_of(synthetic_table(250), options_for(4), hooks);
  ASSERT_THAT(parts.members, SizeIs(4));
  for (const Member& member : parts.members) {
    EXPECT_TRUE(member.record.was_stopped);
    EXPECT_FALSE(member.values.empty());
  }
  EXPECT_THAT(parts.members[0].record.history, SizeIs(2));
  EXPECT_THAT(parts.folds, SizeIs(250));
}

TEST(TrainParts, a_handful_of_rows_has_a_member_for_every_two) {
  for (const std::size_t num_rows : {2u, 3u, 5u}) {
    TrainOptions options = quick_options("y", "squared");
    options.trees.reset();
    options.epochs = 2;
    const ModelParts parts = train_parts_of(synthetic_table(num_rows), options, {});
    EXPECT_THAT(parts.members, SizeIs(std::max<std::size_t>(1, num_rows / 2)));
  }
}

TEST(TrainParts, who_stops_before_anything_was_learned_gets_no_model) {
  Hooks hooks;
  hooks.should_stop = [] { return true; };
  EXPECT_THROW(train_parts_of(synthetic_table(250), options_for(1), hooks), Stopped);
}

TEST(TrainParts, what_became_of_the_groups_is_told_and_kept) {
  TrainOptions options = options_for(1);
  options.trees.reset();
  options.ensemble = "wide=4,narrow=4";
  std::vector<std::string> notes;
  Hooks hooks;
  hooks.on_note = [&](const std::string& note) { notes.push_back(note); };
  const ModelParts parts = train_parts_of(synthetic_table(250), options, hooks);
  EXPECT_THAT(notes, Contains(HasSubstr("trees: 4 wide (")));
  const MemberRecord& record = parts.members[0].record;
  ASSERT_THAT(record.groups, SizeIs(2));
  EXPECT_EQ(record.groups[0].kind, GroupKind::wide);
  EXPECT_EQ(record.groups[1].kind, GroupKind::narrow);
  EXPECT_THAT(record.group_of_bundle, SizeIs(parts.members[0].ensemble.shape().bundles.size()));
}

}  // namespace
}  // namespace softwood
