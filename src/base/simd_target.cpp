#include "base/simd_target.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/highway.h>

#include "softwood/error.h"

namespace softwood {
namespace {

std::string upper(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return text;
}

/// Targets that are compiled in, supported by this processor and not disabled. Some versions of
/// Highway let every kernel use the best target of the processor, disabled or not, once they have
/// been asked for this list: the next kernel shall choose anew.
std::int64_t enabled_targets() {
  const std::int64_t enabled = hwy::SupportedTargets() & HWY_TARGETS;
  hwy::GetChosenTarget().DeInit();
  return enabled;
}

std::int64_t usable_targets() {
  hwy::DisableTargets(0);
  return enabled_targets();
}

}  // namespace

std::vector<std::string> simd_targets() {
  std::vector<std::string> names;
  // Highway's lower bits are its better targets.
  for (std::int64_t left = usable_targets(); left != 0; left &= left - 1) {
    names.emplace_back(hwy::TargetName(left & -left));
  }
  return names;
}

std::string simd_target() {
  const std::int64_t enabled = enabled_targets();
  return hwy::TargetName(enabled & -enabled);
}

void force_simd_target(const std::string& name) {
  hwy::DisableTargets(0);
  hwy::GetChosenTarget().DeInit();
  if (name.empty()) return;
  const std::int64_t usable = usable_targets();
  for (std::int64_t left = usable; left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    if (upper(hwy::TargetName(target)) != upper(name)) continue;
    hwy::DisableTargets(~target);
    hwy::GetChosenTarget().DeInit();
    return;
  }
  throw Error(fmt::format("SOFTWOOD_SIMD={}: this machine has no such SIMD target; it has {}.",
                          name, fmt::join(simd_targets(), ", ")));
}

void choose_simd_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (const char* name = std::getenv("SOFTWOOD_SIMD")) force_simd_target(name);
  });
}

}  // namespace softwood
