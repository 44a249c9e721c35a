#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace softwood {

/// How many threads this process may keep busy: no more than the processors it is bound to
/// (taskset), its CPU quota (cgroups, as containers set them) and OMP_NUM_THREADS (which joblib
/// sets in its workers). At least 1.
int available_threads();

/// The least CPU quota in force, in processors, of a process whose /proc/self/cgroup is `groups`,
/// under the folder `root` (/sys/fs/cgroup), of cgroups version 1 or 2. None: no limit.
std::optional<double> cpu_quota(const std::string& root, std::string_view groups);

}  // namespace softwood
