#include "base/available_threads.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include <sched.h>

namespace softwood {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The number at the front, and what follows it.
std::optional<long long> take_number(std::string_view& text) {
  long long value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<double> ratio(std::optional<long long> quota, std::optional<long long> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

/// "200000 100000", or "max 100000" for no limit.
std::optional<double> quota_of_version_2(const std::string& folder) {
  const std::string text = read_text(folder + "/cpu.max");
  std::string_view left = text;
  const auto quota = take_number(left);
  left.remove_prefix(std::min<std::size_t>(left.size(), 1));
  return ratio(quota, take_number(left));
}

/// −1 for no limit.
std::optional<double> quota_of_version_1(const std::string& folder) {
  const std::string quota = read_text(folder + "/cpu.cfs_quota_us");
  const std::string period = read_text(folder + "/cpu.cfs_period_us");
  std::string_view quota_left = quota, period_left = period;
  return ratio(take_number(quota_left), take_number(period_left));
}

/// Of the group and all groups around it.
template <class Quota>
void tighten(const std::string& root, std::string path, const Quota& quota_of,
             std::optional<double>& least) {
  while (true) {
    const auto quota = quota_of(root + path);
    if (quota) least = std::min(least.value_or(*quota), *quota);
    if (path.empty() || path == "/") return;
    path.resize(path.find_last_of('/'));
  }
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

int bound_processors() {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) == 0) return CPU_COUNT(&processors);
  return static_cast<int>(std::thread::hardware_concurrency());
}

/// Read once: it takes longer than a small prediction.
int processors_of_quota() {
  static const std::optional<double> quota =
      cpu_quota("/sys/fs/cgroup", read_text("/proc/self/cgroup"));
  return quota ? static_cast<int>(std::min(std::ceil(*quota), 1e6)) : 1000000;
}

/// OMP_NUM_THREADS may be a list, one for each level of nesting.
int stated_threads() {
  const char* stated = std::getenv("OMP_NUM_THREADS");
  std::string_view text = stated == nullptr ? "" : stated;
  const auto number = take_number(text);
  return number && *number > 0 ? static_cast<int>(std::min(*number, 1000000LL)) : 1000000;
}

}  // namespace

std::optional<double> cpu_quota(const std::string& root, std::string_view groups) {
  std::optional<double> least;
  for (const std::string_view line : split(groups, '\n')) {
    const std::vector<std::string_view> fields = split(line, ':');  // number, controllers, path
    if (fields.size() < 3 || fields[2].empty() || fields[2][0] != '/') continue;
    const std::string path(fields[2]);
    if (fields[1].empty()) {
      tighten(root, path, quota_of_version_2, least);
      continue;
    }
    const std::vector<std::string_view> controllers = split(fields[1], ',');
    if (std::find(controllers.begin(), controllers.end(), "cpu") == controllers.end()) continue;
    for (const std::string_view name : {fields[1], std::string_view("cpu")})
      tighten(root + "/" + std::string(name), path, quota_of_version_1, least);
  }
  return least;
}

int available_threads() {
  return std::max(1, std::min({bound_processors(), processors_of_quota(), stated_threads()}));
}

}  // namespace softwood
