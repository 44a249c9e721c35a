#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

#include <nlohmann/json.hpp>
#include <zlib.h>

#include "fuzz/byte_source.h"
#include "fuzz/memory_file.h"
#include "fuzz/targets.h"
#include "softwood/error.h"
#include "train/checkpoint/checkpoint_file.h"
#include "train/checkpoint/run_identity.h"
#include "train/checkpoint/small_course.h"

namespace softwood::fuzz {
namespace {

constexpr std::string_view kMagic = "softwood checkpoint 1\n";

/// Behind the magic: the length of the description, of the state, and the CRC-32 of both.
struct Lengths {
  std::uint64_t about = 0, state = 0, checksum = 0;
};

/// A checkpoint's checksum made right, and its last length, for bytes come and go.
std::string made_right(std::string bytes) {
  const std::size_t start = kMagic.size() + sizeof(Lengths);
  if (bytes.size() < start) return bytes;
  Lengths lengths;
  std::memcpy(&lengths, bytes.data() + kMagic.size(), sizeof lengths);
  const std::size_t left = bytes.size() - start;
  if (lengths.about <= left) lengths.state = left - lengths.about;
  lengths.checksum =
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data() + start), left);
  std::memcpy(bytes.data() + kMagic.size(), &lengths, sizeof lengths);
  return bytes;
}

/// A true checkpoint. It is made here, for its state has the layout of this build.
std::string true_checkpoint(const SmallCourse& course) {
  const std::string about = SmallCourse::about().dump(), state = to_bytes(course.state());
  const Lengths lengths{about.size(), state.size(), 0};
  std::string bytes(kMagic);
  bytes.append(reinterpret_cast<const char*>(&lengths), sizeof lengths);
  return made_right(bytes + about + state);
}

/// Changes somewhere in it, as the input says.
std::string edited(std::string bytes, ByteSource source) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array<std::uint64_t, 8> kNumbers = {0,
                                                     1,
                                                     3,
                                                     ~std::uint64_t{0},
                                                     std::uint64_t{1} << 62,
                                                     std::uint64_t{1} << 32,
                                                     std::uint64_t{1} << 31,
                                                     std::uint64_t{0x7FF0} << 48};
  constexpr std::array kTexts = {"null", "-1", "[]", "{}", "1e999", "\"\"", "true", "[[", "}", "2"};
  while (!source.is_empty()) {
    const std::size_t at = source.below(bytes.size());
    switch (source.below(6)) {
      case 0:
        bytes[at] = static_cast<char>(source.byte());
        break;
      case 1: {
        const std::uint64_t number = source.one_of(kNumbers);
        std::memcpy(bytes.data() + at, &number, std::min(sizeof number, bytes.size() - at));
        break;
      }
      case 2:
        std::memcpy(bytes.data() + at, &kNan, std::min(sizeof kNan, bytes.size() - at));
        break;
      case 3:
        bytes.erase(at, 1 + source.below(300));
        break;
      case 4:
        bytes.insert(at, source.text(1 + source.below(16)));
        break;
      default:
        bytes.insert(at, source.one_of(kTexts));
    }
    if (bytes.empty()) break;
  }
  return bytes;
}

void read_and_go_on(const std::string& bytes, const SmallCourse& course) {
  const MemoryFile file(bytes);
  const CheckpointContent content = read_checkpoint(file.path());
  // As a run does that resumes from it, but that the state of another run is looked at, too.
  expect_identity(content.about);
  const nlohmann::json about = SmallCourse::about();
  try {
    expect_same_run(content.about.at("run"), about.at("run"));
    expect_same_data(content.about.at("data"), about.at("data"));
  } catch (const Error&) {
  }
  Trainer trainer = course.trainer();
  trainer.set_state(run_state_from_bytes(content.state));
  trainer.run();
  trainer.blended(0);
}

}  // namespace

/// The bytes as a checkpoint, or, unless they begin like one, as changes of a true one.
void checkpoint(std::string_view bytes) {
  static const SmallCourse course;
  static const std::string whole = true_checkpoint(course);
  const std::string given =
      bytes.starts_with(kMagic) ? std::string(bytes) : edited(whole, ByteSource(bytes));
  try {
    read_and_go_on(made_right(given), course);
  } catch (const Error&) {
  }
}

}  // namespace softwood::fuzz
