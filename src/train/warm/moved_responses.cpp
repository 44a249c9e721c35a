#include "train/warm/moved_responses.h"

#include <cmath>

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {
namespace {

/// In units of the model; growth and a few good years stay far below.
constexpr double kFar = 30;

/// Of the first output, which says where a number lies; others say how it spreads.
bool have_moved(const Units& known, const Units& found) {
  return std::abs(found.offset[0] - known.offset[0]) > kFar * known.unit[0] ||
         found.unit[0] > kFar * known.unit[0];
}

}  // namespace

void warn_of_moved_responses(const Tasks& tasks, const Examples& rows, const Words& words,
                             const std::function<void()>& stop_check) {
  for (const Task& task : tasks) {
    if (task.target_kind == ColumnKind::categorical || !task.labels.empty()) continue;
    const Responses& responses = rows.responses.at(task.index_in_model);
    Units found;
    try {
      found = find_units(task.program, responses.view(), rows.weights, stop_check);
    } catch (const Stopped&) {
      throw;
    } catch (const Error&) {
      continue;  // such as no response at all: no reason to end what needs no units
    }
    if (!have_moved(task.units, found)) continue;
    words.warn(fmt::format(
        "the values of '{}' are far from those that the model was trained on (about {:.4g} "
        "instead of {:.4g}, in what the trees add up to): its scales stay, so that it learns "
        "little of them; train a new model",
        task.target, found.offset[0], task.units.offset[0]));
  }
}

}  // namespace softwood
