#include "train/early_stopping.h"

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(EarlyStopping, remembers_the_least_loss) {
  EarlyStopping stopping(0);
  EXPECT_TRUE(stopping.observe(1, 3.0));
  EXPECT_FALSE(stopping.observe(2, 3.0));
  EXPECT_TRUE(stopping.observe(3, 2.0));
  EXPECT_EQ(stopping.best_epoch(), 3);
  EXPECT_EQ(stopping.best_loss(), 2.0);
}

TEST(EarlyStopping, nan_is_never_best) {
  EarlyStopping stopping(0);
  EXPECT_FALSE(stopping.observe(1, std::nan("")));
  EXPECT_EQ(stopping.best_epoch(), 0);
}

TEST(EarlyStopping, stops_after_patience_epochs_without_gain) {
  EarlyStopping stopping(2);
  stopping.observe(1, 1.0);
  stopping.observe(2, 2.0);
  EXPECT_FALSE(stopping.should_stop(2));
  stopping.observe(3, 2.0);
  EXPECT_TRUE(stopping.should_stop(3));
}

TEST(EarlyStopping, without_patience_never_stops) {
  EarlyStopping stopping(0);
  stopping.observe(1, 1.0);
  EXPECT_FALSE(stopping.should_stop(1000));
}

}  // namespace
}  // namespace softwood
