#include "tree/subtree_blocks.h"

#include <set>

#include <gtest/gtest.h>

#include "tree/ensemble.h"

namespace softwood {
namespace {

class Subtrees : public testing::TestWithParam<int> {
 protected:
  SubtreeBlocks blocks() const { return SubtreeBlocks(GetParam()); }
  std::size_t num_splits() const { return (std::size_t{1} << GetParam()) - 1; }
};

TEST_P(Subtrees, every_split_has_a_lane_of_its_own_and_no_block_a_full_last_lane) {
  std::set<std::size_t> slots;
  for (std::size_t i = 0; i < num_splits(); ++i) slots.insert(blocks().slot(i));
  EXPECT_EQ(slots.size(), num_splits());
  EXPECT_LT(*slots.rbegin(), blocks().num_blocks() * kLanes);
  for (std::size_t block = 0; block < blocks().num_blocks(); ++block) {
    EXPECT_EQ(slots.count(block * kLanes + kLanes - 1), 0);
    EXPECT_EQ(slots.count(block * kLanes), 1);
  }
}

/// A split's children are where its block's are, or start the block that its block names.
TEST_P(Subtrees, ways_down_the_tree_are_ways_down_the_blocks) {
  for (std::size_t i = 0; 2 * i + 2 < num_splits(); ++i) {
    const std::size_t block = blocks().slot(i) / kLanes, lane = blocks().slot(i) % kLanes;
    const std::size_t num_lanes = (std::size_t{1} << blocks().levels(block)) - 1;
    for (const std::size_t side : {1, 2}) {
      const std::size_t child = blocks().slot(2 * i + side), below = 2 * lane + side;
      if (below < num_lanes) {
        ASSERT_EQ(child, block * kLanes + below);
      } else {
        const std::size_t place = below - num_lanes;
        ASSERT_EQ(child, (blocks().first_child(block) + place) * kLanes);
        ASSERT_EQ(blocks().place_in_parent(child / kLanes), place);
      }
    }
  }
}

TEST_P(Subtrees, blocks_at_the_bottom_have_the_leaves_in_order) {
  const std::size_t num_leaves = std::size_t{1} << GetParam();
  for (std::size_t leaf = 0; leaf < num_leaves; leaf += 2) {
    const std::size_t block = blocks().slot((num_leaves - 2 + leaf) / 2) / kLanes;
    const std::size_t per_block = std::size_t{1} << blocks().levels(block);
    ASSERT_EQ(block, blocks().first_bottom() + leaf / per_block);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryDepth, Subtrees, testing::Range(1, kMaxDepth + 1));

}  // namespace
}  // namespace softwood
