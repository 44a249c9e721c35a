#include "data/arff/reader.h"
#include "data/file/file_bytes.h"
#include "fuzz/targets.h"
#include "softwood/error.h"

namespace softwood::fuzz {

void arff(std::string_view bytes) {
  for (const OnError on_error : {OnError::stop, OnError::skip}) {
    try {
      read_arff(FileBytes(bytes, "input.arff"), {.on_error = on_error, .threads = 1});
    } catch (const Error&) {
    }
  }
}

}  // namespace softwood::fuzz
