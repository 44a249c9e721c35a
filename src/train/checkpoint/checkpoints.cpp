#include "train/checkpoint/checkpoints.h"

#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/output_target.h"
#include "softwood/error.h"
#include "train/checkpoint/run_identity.h"

namespace softwood {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

bool exists(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

/// So that the one before stands beside the file itself. Throws Error for a pipe or a device: from
/// these nothing can be resumed, and they cannot be moved aside.
CheckpointOptions with_links_followed(CheckpointOptions options) {
  if (options.path.empty()) return options;
  const OutputTarget target = OutputTarget::find(options.path);
  if (target.kind != OutputTarget::Kind::file) {
    throw Error(
        fmt::format("the checkpoint '{}' is no file, so nothing could be resumed from it: "
                    "name a file with --checkpoint.",
                    options.path));
  }
  options.path = target.path;
  return options;
}

}  // namespace

Checkpoints::Checkpoints(CheckpointOptions options, const TrainOptions& training, Words words,
                         std::function<void(bool)> on_checkpoint)
    : options_(with_links_followed(std::move(options))),
      words_(std::move(words)),
      on_checkpoint_(std::move(on_checkpoint)) {
  if (!is_wanted()) {
    if (options_.resume) throw Error("--resume needs the --checkpoint FILE to go on from.");
    return;
  }
  if (options_.every_epochs < 0) throw Error("--checkpoint-every counts epochs: 1 or more.");
  if (!(options_.every_minutes >= 0)) throw Error("--checkpoint-minutes must be 0 or more.");
  AtomicFile::check_writable(options_.path);
  about_["run"] = identity_of_run(training);
  find_latest();
  if (!latest_) return;
  if (options_.resume) {
    expect_same_run(latest_->about.at("run"), about_["run"]);
    return;
  }
  if (!latest_->about.at("ended").get<bool>()) {
    throw Error(
        fmt::format("'{}' is the checkpoint of a training that has not ended: go on from it with "
                    "--resume, or remove it to begin anew.",
                    options_.path));
  }
  latest_.reset();
}

void Checkpoints::find_latest() {
  std::string complaint;
  for (const std::string& path : {options_.path, path_before(options_.path)}) {
    if (!exists(path)) continue;
    try {
      CheckpointContent content = read_checkpoint(path);
      expect_identity(content.about);
      latest_ = std::move(content);
      if (!complaint.empty())
        tell(fmt::format("{} The one before it is used: '{}'.", complaint, path));
      return;
    } catch (const Error& error) {
      // Not to be replaced by a run that does not know of it, either.
      if (complaint.empty()) complaint = error.what();
    }
  }
  if (!complaint.empty() && options_.resume)
    throw Error(fmt::format("{} There is none before it to go on from.", complaint));
  if (!complaint.empty())
    throw Error(fmt::format("{} Remove it, or name another --checkpoint.", complaint));
  if (options_.resume) {
    words_.note(
        fmt::format("there is no checkpoint '{}' yet: beginning at the start", options_.path));
  }
}

std::optional<RunState> Checkpoints::take_up(const Preparation& preparation) {
  if (!is_wanted()) return std::nullopt;
  about_["data"] = identity_of_data(preparation);
  saved_at_ = Clock::now();
  if (!latest_) return std::nullopt;
  expect_same_data(latest_->about.at("data"), about_["data"]);
  RunState state = run_state_from_bytes(latest_->state);
  latest_.reset();
  if (state.epoch > preparation.settings.epochs + 1) {
    throw Error(fmt::format("cannot resume: the checkpoint is in epoch {}, and --epochs is {}.",
                            state.epoch, preparation.settings.epochs));
  }
  saved_at_epoch_ = state.whole_epochs;
  words_.note(
      fmt::format("going on from the checkpoint '{}': epoch {}", options_.path, state.epoch));
  return state;
}

bool Checkpoints::is_due(int whole_epochs) const {
  if (!is_wanted()) return false;
  if (options_.every_epochs > 0) return whole_epochs - saved_at_epoch_ >= options_.every_epochs;
  return Clock::now() - saved_at_ >=
         std::chrono::duration<double, std::ratio<60>>(options_.every_minutes);
}

void Checkpoints::save(const RunState& state, bool has_ended) {
  if (!is_wanted()) return;
  try {
    CheckpointContent content{.about = about_, .state = to_bytes(state)};
    content.about["epoch"] = state.epoch;
    content.about["ended"] = has_ended;
    write_checkpoint(options_.path, content);
    on_checkpoint_(true);
  } catch (const Error& error) {
    tell_of_failure(error.what());
  } catch (const std::bad_alloc&) {  // the state is there twice while it is written
    tell_of_failure("out of memory.");
  }
  saved_at_epoch_ = state.whole_epochs;
  saved_at_ = Clock::now();
}

void Checkpoints::tell(const std::string& text) const {
  try {
    words_.warn(text);
  } catch (...) {
    words_.note(text);
  }
}

void Checkpoints::tell_of_failure(const std::string& reason) const {
  on_checkpoint_(false);
  tell("no checkpoint was written, training goes on: " + reason);
}

}  // namespace softwood
