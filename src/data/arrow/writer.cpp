#include "data/arrow/writer.h"

#include <cerrno>
#include <new>
#include <utility>

#include "data/arrow/content.h"
#include "data/arrow/ticks.h"

namespace softwood {
namespace {

using SchemaContent = ArrowContent<ArrowSchema>;
using ArrayContent = ArrowContent<ArrowArray>;

// Schemas.

void write_schema(std::string format, std::string name, std::unique_ptr<SchemaContent> content,
                  ArrowSchema* out) {
  content->format = std::move(format);
  content->name = std::move(name);
  *out = {};
  out->format = content->format.c_str();
  out->name = content->name.c_str();
  out->flags = ARROW_FLAG_NULLABLE;
  hold_content(std::move(content), out);
}

void write_column_schema(const Column& column, ArrowSchema* out) {
  auto content = std::make_unique<SchemaContent>();
  if (column.kind == ColumnKind::categorical) {
    content->dictionary = std::make_unique<ArrowSchema>();
    write_schema("U", "", std::make_unique<SchemaContent>(), content->dictionary.get());
  }
  const char* format = column.kind == ColumnKind::numeric    ? "g"
                       : column.kind == ColumnKind::datetime ? "tsu:"
                                                             : "i";
  write_schema(format, column.name, std::move(content), out);
}

void write_table_schema(const Table& table, ArrowSchema* out) {
  auto content = std::make_unique<SchemaContent>();
  for (const Column& column : table.columns()) {
    content->children.push_back(std::make_unique<ArrowSchema>());
    write_column_schema(column, content->children.back().get());
  }
  write_schema("+s", "", std::move(content), out);
  out->flags = 0;
}

// Arrays.

void write_array(std::size_t length, std::int64_t null_count, std::int64_t num_buffers,
                 std::unique_ptr<ArrayContent> content, ArrowArray* out) {
  *out = {};
  out->length = static_cast<std::int64_t>(length);
  out->null_count = null_count;
  out->n_buffers = num_buffers;
  out->buffers = content->buffers.data();
  hold_content(std::move(content), out);
}

/// Sets the bits of the rows that are not null, unless all are; returns how many are.
template <class IsNull>
std::int64_t mark_nulls(std::size_t num_rows, const IsNull& is_null, ArrayContent& content) {
  std::int64_t null_count = 0;
  for (std::size_t row = 0; row < num_rows; ++row) null_count += is_null(row) ? 1 : 0;
  if (null_count == 0) return 0;
  content.validity.assign((num_rows + 7) / 8, 0);
  for (std::size_t row = 0; row < num_rows; ++row) {
    const int bit = is_null(row) ? 0 : 1 << (row % 8);
    content.validity[row / 8] = static_cast<std::uint8_t>(content.validity[row / 8] | bit);
  }
  content.buffers[0] = content.validity.data();
  return null_count;
}

void write_levels(const std::vector<std::string>& levels, ArrowArray* out) {
  auto content = std::make_unique<ArrayContent>();
  content->integers.push_back(0);
  for (const std::string& level : levels) {
    content->bytes += level;
    content->integers.push_back(static_cast<std::int64_t>(content->bytes.size()));
  }
  content->buffers = {nullptr, content->integers.data(), content->bytes.data()};
  write_array(levels.size(), 0, 3, std::move(content), out);
}

void write_moments(const Column& column, ArrayContent& content) {
  content.integers.reserve(column.size());
  for (const double seconds : column.values) {
    content.integers.push_back(microseconds_of(seconds));
  }
  content.buffers[1] = content.integers.data();
}

void write_column(std::shared_ptr<const Table> table, const Column& column, ArrowArray* out) {
  auto content = std::make_unique<ArrayContent>();
  const std::size_t num_rows = column.size();
  std::int64_t null_count = 0;
  if (column.kind == ColumnKind::datetime) {
    write_moments(column, *content);
    const auto is_null = [&](std::size_t row) { return content->integers[row] == kNoMoment; };
    null_count = mark_nulls(num_rows, is_null, *content);
  } else {
    const auto is_null = [&](std::size_t row) { return column.is_missing(row); };
    null_count = mark_nulls(num_rows, is_null, *content);
    content->buffers[1] = column.values.data();
    if (column.kind == ColumnKind::categorical) {
      content->buffers[1] = column.codes.data();
      content->dictionary = std::make_unique<ArrowArray>();
      write_levels(column.levels, content->dictionary.get());
    }
    content->table = std::move(table);
  }
  write_array(num_rows, null_count, 2, std::move(content), out);
}

void write_batch(const std::shared_ptr<const Table>& table, ArrowArray* out) {
  auto content = std::make_unique<ArrayContent>();
  for (const Column& column : table->columns()) {
    content->children.push_back(std::make_unique<ArrowArray>());
    write_column(table, column, content->children.back().get());
  }
  write_array(table->num_rows(), 0, 1, std::move(content), out);
}

// The stream.

struct StreamContent {
  std::shared_ptr<const Table> table;
  bool is_done = false;
};

StreamContent& content_of(ArrowArrayStream* stream) {
  return *static_cast<StreamContent*>(stream->private_data);
}

/// No exception may pass through C.
template <class Work>
int status_of(const Work& work) noexcept {
  try {
    work();
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return status_of([&] { write_table_schema(*content_of(stream).table, out); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  StreamContent& content = content_of(stream);
  *out = {};
  if (std::exchange(content.is_done, true)) return 0;
  return status_of([&] { write_batch(content.table, out); });
}

/// strerror of the status says all there is to say.
const char* get_last_error(ArrowArrayStream*) {
  return nullptr;
}

void release_stream(ArrowArrayStream* stream) {
  delete &content_of(stream);
  stream->release = nullptr;
}

}  // namespace

void write_arrow(std::shared_ptr<const Table> table, ArrowArrayStream* out) {
  *out = {&get_schema, &get_next, &get_last_error, &release_stream,
          new StreamContent{std::move(table)}};
}

}  // namespace softwood
