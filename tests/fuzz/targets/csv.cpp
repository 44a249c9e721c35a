#include "data/csv/reader.h"
#include "data/file/file_bytes.h"
#include "fuzz/targets.h"
#include "softwood/error.h"

namespace softwood::fuzz {
namespace {

constexpr std::size_t kSmallChunk = 32;  // so that rows go over the ends of chunks

}  // namespace

void csv(std::string_view bytes) {
  for (const OnError on_error : {OnError::stop, OnError::skip}) {
    try {
      read_csv(FileBytes(bytes, "input.csv"), {.on_error = on_error, .threads = 1}, kSmallChunk);
    } catch (const Error&) {
    }
  }
}

}  // namespace softwood::fuzz
