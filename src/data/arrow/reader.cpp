#include "data/arrow/reader.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "base/thread_team.h"
#include "data/arrow/check.h"
#include "data/arrow/column.h"
#include "data/arrow/owner.h"
#include "data/table/settle_frame.h"
#include "data/table/threads_for_cells.h"
#include "softwood/error.h"

namespace softwood {
namespace {

class ArrowReader {
 public:
  ArrowReader(ArrowArrayStream* stream, const std::vector<std::string>& names)
      : stream_(stream), names_(names) {}

  std::vector<Column> read(const ColumnKinds& read_as) {
    check(stream_->get_schema(stream_.get(), schema_.get()));
    check_arrow_schema(*schema_.get());
    is_batches_ = std::strcmp(schema_->format, "+s") == 0;
    for (std::int64_t child = 0; is_batches_ && child < schema_->n_children; ++child)
      check_arrow_schema(*schema_->children[child]);
    chunks_.resize(is_batches_ ? static_cast<std::size_t>(schema_->n_children) : 1);
    check_names();
    while (take_array()) {
    }
    std::vector<Column> columns(chunks_.size());
    ThreadTeam team(threads_for_cells(columns.size() * num_rows_));
    team.for_each(columns.size(), [&](std::size_t place) {
      columns[place] = read_column(place, read_as);
      chunks_[place].clear();
    });
    return columns;
  }

 private:
  void check(int status) {
    if (status == 0) return;
    const char* message = stream_->get_last_error(stream_.get());
    throw Error(fmt::format("the Arrow stream could not be read: {}",
                            message == nullptr ? std::strerror(status) : message));
  }

  void check_names() const {
    if (names_.empty() || names_.size() == chunks_.size()) return;
    throw Error(
        fmt::format("{} names for {} columns. Give one for each.", names_.size(), chunks_.size()));
  }

  std::string name_of(std::size_t place, const ArrowSchema& schema) const {
    if (!names_.empty()) return names_[place];
    const std::string name = schema.name == nullptr ? "" : schema.name;
    return name.empty() && !is_batches_ ? "x1" : name;
  }

  /// False at the end of the stream.
  bool take_array() {
    ArrowOwner<ArrowArray> array;
    check(stream_->get_next(stream_.get(), array.get()));
    if (array.is_released()) return false;
    check_array(*array.get());
    const auto num_rows = static_cast<std::size_t>(array->length);
    num_rows_ += num_rows;
    if (num_rows_ > std::numeric_limits<std::uint32_t>::max())
      throw Error("the Arrow stream has more rows than the 4,294,967,295 that a table can hold.");
    if (num_rows == 0 && array->dictionary == nullptr && !has_dictionaries(*array.get()))
      return true;
    if (is_batches_) {
      take_children(*array.get(), num_rows);
    } else {
      chunks_[0].push_back({share_array(array.get()), 0, num_rows});
    }
    return true;
  }

  /// Before anything is read by what it says.
  void check_array(const ArrowArray& array) {
    if (!is_batches_) {
      const auto length = std::max<std::int64_t>(0, array.length);
      return check_arrow_array(*schema_.get(), array, 0, static_cast<std::size_t>(length));
    }
    check_arrow_batch(*schema_.get(), array);
    for (std::int64_t child = 0; child < array.n_children; ++child) {
      check_arrow_array(*schema_->children[child], *array.children[child],
                        static_cast<std::size_t>(array.offset),
                        static_cast<std::size_t>(array.length));
    }
  }

  /// An empty batch may still declare levels.
  static bool has_dictionaries(const ArrowArray& batch) {
    for (std::int64_t child = 0; child < batch.n_children; ++child) {
      if (batch.children[child]->dictionary != nullptr) return true;
    }
    return false;
  }

  /// Every column holds only its own array, so that one that is borrowed keeps no other alive.
  void take_children(ArrowArray& batch, std::size_t num_rows) {
    refuse_null_rows(batch, num_rows);
    assert(static_cast<std::size_t>(batch.n_children) == chunks_.size());
    const auto first = static_cast<std::size_t>(batch.offset);
    for (std::size_t column = 0; column < chunks_.size(); ++column) {
      chunks_[column].push_back({share_array(batch.children[column]), first, num_rows});
    }
  }

  static void refuse_null_rows(const ArrowArray& batch, std::size_t num_rows) {
    const ArrowChunk rows{{std::shared_ptr<void>(), &batch}, 0, num_rows};
    if (rows.has_nulls()) {
      throw Error("some rows of the Arrow stream are null as a whole. Drop them first.");
    }
  }

  Column read_column(std::size_t place, const ColumnKinds& read_as) {
    const ArrowSchema& schema = is_batches_ ? *schema_->children[place] : *schema_.get();
    std::string name = name_of(place, schema);
    const auto wish = read_as.find(name);
    const bool as_texts = wish != read_as.end() && wish->second.kind == ColumnKind::categorical;
    return read_arrow_column(schema, std::move(name), chunks_[place], as_texts);
  }

  ArrowOwner<ArrowArrayStream> stream_;
  const std::vector<std::string>& names_;
  ArrowOwner<ArrowSchema> schema_;
  bool is_batches_ = true;
  std::size_t num_rows_ = 0;
  std::vector<std::vector<ArrowChunk>> chunks_;  // of each column
};

}  // namespace

std::vector<Column> read_arrow_columns(ArrowArrayStream* stream, const ColumnKinds& read_as,
                                       const std::vector<std::string>& names) {
  return ArrowReader(stream, names).read(read_as);
}

Table read_arrow(ArrowArrayStream* stream, const ReadOptions& options,
                 const std::vector<std::string>& names, bool looks_at_texts) {
  return settle_frame(read_arrow_columns(stream, options.read_as, names), options, looks_at_texts);
}

}  // namespace softwood
