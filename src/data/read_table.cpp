#include "data/arff_reader.h"
#include "data/cell_text.h"
#include "data/csv_reader.h"
#include "data/file_bytes.h"
#include "softwood/table.h"

namespace softwood {
namespace {

bool is_arff_name(const std::string& path) {
  const std::string name = lower_case(path);
  return name.ends_with(".arff") || name.ends_with(".arff.gz");
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  const FileBytes file(path, options.threads);
  return is_arff_name(path) ? read_arff(file, options) : read_csv(file, options);
}

}  // namespace softwood
