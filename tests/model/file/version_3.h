#pragma once

#include <string>

#include <fmt/format.h>

#include "softwood/model.h"

namespace softwood {

/// A file of tests/model/file/version_3, whose README tells where they come from.
inline std::string version_3_file(const std::string& name) {
  return fmt::format("{}/model/file/version_3/{}", SOFTWOOD_TESTS_FOLDER, name);
}

/// A model of two tasks, `y` with a normal distribution and `label` with two classes.
inline Model version_3_model() {
  return Model::load(version_3_file("model.softwood"));
}

/// The table that it was trained on.
inline Table version_3_table(const Model& model) {
  ReadOptions options;
  options.read_as = model.read_as(ColumnsFor::evaluation);
  return read_table(version_3_file("table.csv"), options);
}

}  // namespace softwood
