#include "data/file/gunzip.h"

#include "fuzz/targets.h"
#include "softwood/error.h"

namespace softwood::fuzz {

void gunzip(std::string_view bytes) {
  gunzip_start(bytes, 100);
  try {
    softwood::gunzip(bytes, "input.gz", TextLimit("input.gz", std::size_t{1} << 28));
  } catch (const Error&) {
  }
}

}  // namespace softwood::fuzz
