#include "data/arrow/check.h"

#include <cstdint>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "data/arrow/type.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using Kind = ArrowType::Kind;

/// Rows are counted in 32 bits.
constexpr std::int64_t kMostRows = std::numeric_limits<std::uint32_t>::max();

void expect(bool fits, const char* what) {
  if (!fits) {
    throw Error(fmt::format(
        "the Arrow data contradict themselves ({}): whatever made them broke the C data interface.",
        what));
  }
}

/// Buffers of a type that we read, the validity bitmap among them.
std::int64_t num_buffers(const ArrowType& type) {
  if (type.kind == Kind::nothing || type.kind == Kind::unknown) return 0;
  return type.kind == Kind::text ? 3 : 2;
}

void expect_extent(const ArrowArray& array) {
  expect(array.length >= 0, "a negative length");
  expect(array.offset >= 0, "a negative offset");
  expect(array.length <= kMostRows && array.offset <= std::numeric_limits<std::int64_t>::max() / 64,
         "more rows than a table holds");
  expect(array.n_buffers >= 0 && (array.n_buffers == 0 || array.buffers != nullptr),
         "buffers that are not there");
}

}  // namespace

void check_arrow_schema(const ArrowSchema& schema) {
  expect(schema.format != nullptr, "a type without a format");
  expect(schema.n_children >= 0 && (schema.n_children == 0 || schema.children != nullptr),
         "children that are not there");
  for (std::int64_t child = 0; child < schema.n_children; ++child)
    expect(schema.children[child] != nullptr, "a child that is not there");
  if (schema.dictionary == nullptr) return;
  const std::string_view format = schema.format;
  expect(format.size() == 1 && std::string_view("cCsSiIlL").find(format[0]) != format.npos,
         "a dictionary whose indices are no whole numbers");
  expect(schema.dictionary->format != nullptr, "a dictionary without a format");
  expect(schema.dictionary->dictionary == nullptr, "a dictionary of a dictionary");
}

void check_arrow_array(const ArrowSchema& schema, const ArrowArray& array, std::size_t first,
                       std::size_t num_rows) {
  expect_extent(array);
  expect(first + num_rows <= static_cast<std::size_t>(array.length),
         "a column with fewer rows than its table");
  const ArrowType type = find_arrow_type(schema.format);
  expect(array.n_buffers >= num_buffers(type), "fewer buffers than its type has");
  if (type.kind == Kind::text && num_rows > 0)
    expect(array.buffers[1] != nullptr, "texts without a buffer");
  expect((schema.dictionary == nullptr) == (array.dictionary == nullptr),
         "a dictionary in the type or in the array alone");
  if (schema.dictionary == nullptr) return;
  expect(array.dictionary->dictionary == nullptr, "a dictionary of a dictionary");
  expect_extent(*array.dictionary);
  check_arrow_array(*schema.dictionary, *array.dictionary, 0,
                    static_cast<std::size_t>(array.dictionary->length));
}

void check_arrow_batch(const ArrowSchema& schema, const ArrowArray& batch) {
  expect_extent(batch);
  expect(batch.n_children == schema.n_children, "another number of columns than its schema");
  expect(batch.n_children == 0 || batch.children != nullptr, "columns that are not there");
  for (std::int64_t child = 0; child < batch.n_children; ++child)
    expect(batch.children[child] != nullptr, "a column that is not there");
}

}  // namespace softwood
