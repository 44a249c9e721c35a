#include "data/file/read_table.h"

#include <fmt/format.h>

#include "base/out_of_memory.h"
#include "data/arff/reader.h"
#include "data/csv/reader.h"
#include "data/file/file_bytes.h"
#include "data/file/file_kind_words.h"
#include "data/text/cell_text.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// Smaller files are read at once, in less time: what they hold is 128 MB at most, 16 MB of cells
/// such as "1," twice as doubles.
constexpr std::size_t kFewestBytesToDefer = std::size_t{16} << 20;

bool is_arff_name(const std::string& path) {
  const std::string name = lower_case(path);
  return name.ends_with(".arff") || name.ends_with(".arff.gz");
}

void refuse_foreign_bytes(const FileBytes& file) {
  refuse_foreign_kind(find_kind_of_bytes(file.text(), file.text()), file.origin());
}

Table read(const FileBytes& file, const std::string& name, const ReadOptions& options) {
  refuse_foreign_bytes(file);
  if (!is_arff_name(name)) return read_csv(file, options);
  if (options.decimal == ',' || options.thousands != '\0') {
    throw Error(fmt::format(
        "{}: ARFF files have decimal points and no thousands: decimal and thousands are for CSV.",
        file.origin()));
  }
  return read_arff(file, options);
}

/// Whatever is found in a file that is cut meanwhile, or said of it, means nothing.
template <class Reading>
Table of_unchanged(const FileBytes& file, Reading reading) {
  try {
    Table table = reading();
    file.refuse_changed();
    return table;
  } catch (const Error&) {
    file.refuse_changed();
    throw;
  }
}

Table read_little_at_a_time(const std::string& path, const ReadOptions& options) {
  const auto file = FileBytes::open(path, kFewestBytesToDefer, options.threads, options.most_bytes);
  return of_unchanged(*file, [&] {
    refuse_foreign_bytes(*file);
    return file->mapped() == nullptr ? read_csv(*file, options) : read_csv_deferred(file, options);
  });
}

template <class Reading>
Table with_memory_for(const std::string& name, Reading reading) {
  return name_lack_of_memory(fmt::format("'{}' is read", name),
                             "split the table, or give it fewer columns", reading);
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  // Before gigabytes are read for nothing; of pipes, which have no kind yet, the bytes tell.
  refuse_foreign_kind(find_file_kind(path), path);
  return with_memory_for(path, [&] {
    if (options.defer_numbers && !is_arff_name(path)) return read_little_at_a_time(path, options);
    return read(FileBytes(path, options.threads, options.most_bytes), path, options);
  });
}

Table read_table_bytes(std::string_view content, const std::string& name,
                       const ReadOptions& options) {
  return with_memory_for(
      name, [&] { return read(FileBytes(content, name, options.most_bytes), name, options); });
}

}  // namespace softwood
