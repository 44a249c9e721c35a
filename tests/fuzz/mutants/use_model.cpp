#include "fuzz/mutants/use_model.h"

#include <functional>
#include <stdexcept>
#include <string>

#include "data/csv/reader.h"
#include "data/file/file_bytes.h"
#include "softwood/error.h"
#include "softwood/explain.h"

namespace softwood::fuzz {
namespace {

void may_fail(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Error&) {
  }
}

template <class Ask>
auto must_go(const char* what, const Ask& ask) {
  try {
    return ask();
  } catch (const Error& error) {
    throw std::logic_error(std::string(what) + " of a model that was read: " + error.what());
  }
}

void ask_alone(const Model& model) {
  must_go("describe", [&] { return model.describe(); });
  must_go("history", [&] { return model.history(); });
  must_go("read_as", [&] { return model.read_as(ColumnsFor::evaluation); });
  for (std::size_t member = 0; member < num_members(model); ++member) {
    for (std::size_t tree = 0; tree < std::min<std::size_t>(2, num_trees(model, member)); ++tree)
      must_go("tree_view", [&] { return tree_view(model, tree, member); });
  }
}

void ask_with_rows(const Model& model, const Table& table) {
  may_fail([&] { model.predict(table, 1); });
  may_fail([&] {
    model.predict(table, PredictOptions{.quantiles = {0.1, 0.999},
                                        .intervals = {0.5},
                                        .prob_above = {1.0},
                                        .samples = 2,
                                        .moments = true,
                                        .threads = 1});
  });
  may_fail([&] { model.evaluate(table, 1); });
  may_fail([&] { importances(model, table, {.max_rows = 4, .threads = 1}); });
}

}  // namespace

const Table& rows_for_models() {
  static const Table table =
      read_csv(FileBytes("a,b,n,d,y,label\n1,x,2,2024-02-29,1,p\n2.5,z,,1999-12-31,0,q\n,,1,,1,r\n",
                         "rows.csv"),
               ReadOptions{.threads = 1});
  return table;
}

void use_model(const Model& model, const Table& table) {
  ask_alone(model);
  ask_with_rows(model, table);
  const std::string bytes = must_go("to_bytes", [&] { return model.to_bytes(); });
  const Model again = must_go("reading again", [&] { return Model::from_bytes(bytes); });
  if (again.to_bytes() != bytes)
    throw std::logic_error("saved and read again, it is another model");
  if (again.describe() != model.describe())
    throw std::logic_error("read again, it tells otherwise");
}

}  // namespace softwood::fuzz
