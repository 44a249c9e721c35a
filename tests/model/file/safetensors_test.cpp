#include "model/file/safetensors.h"

#include <gtest/gtest.h>

#include "softwood/error.h"

namespace softwood {
namespace {

Safetensors some_file() {
  Safetensors file;
  file.metadata = {{"format", "softwood"}, {"quote", "a \"checksum\":\"00000000\" inside"}};
  file.tensors["b"] = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  file.tensors["a"] = {{1}, {0.5F}};
  file.tensors["empty"] = {{0, 3}, {}};
  return file;
}

TEST(Safetensors, what_is_written_is_read) {
  const Safetensors read = Safetensors::from_bytes(some_file().to_bytes());
  EXPECT_EQ(read.metadata.at("quote"), some_file().metadata.at("quote"));
  EXPECT_EQ(read.tensors.at("b").shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(read.tensors.at("b").values, some_file().tensors.at("b").values);
  EXPECT_EQ(read.tensors.at("empty").values.size(), 0u);
}

TEST(Safetensors, every_truncation_is_refused) {
  const std::string bytes = some_file().to_bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(Safetensors::from_bytes(bytes.substr(0, length)), Error) << length;
  }
}

TEST(Safetensors, every_flipped_bit_is_noticed) {
  const std::string bytes = some_file().to_bytes();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_THROW(Safetensors::from_bytes(damaged), Error) << at;
  }
}

}  // namespace
}  // namespace softwood
