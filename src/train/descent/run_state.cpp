#include "train/descent/run_state.h"

#include <map>
#include <memory>

#include "base/byte_archive.h"

namespace softwood {
namespace {

/// Each state's fields are named once, for writing and reading alike. `Archive` is called with
/// them.
template <class Archive>
void visit(Archive& archive, MeanLoss& mean) {
  archive(mean.loss, mean.weight);
}

template <class Archive>
void visit(Archive& archive, Snapshot& snapshot) {
  archive(snapshot.epoch, snapshot.values, snapshot.scores);
}

template <class Archive>
void visit(Archive& archive, DescentState& state) {
  archive(state.parameters, state.first_moments, state.second_moments, state.averages,
          state.steps_done, state.losses);
}

template <class Archive>
void visit(Archive& archive, BestEpochs::Best& best) {
  archive(best.loss, best.loss_together, best.snapshot);
}

template <class Archive>
void visit(Archive& archive, BestEpochs::State& state) {
  archive(state.tasks, state.least_together, state.together, state.latest_gain);
}

template <class Archive>
void visit(Archive& archive, CycleRule::State& state) {
  archive(state.cycle, state.last_loss);
}

template <class Archive>
void visit(Archive& archive, GroupState& state) {
  archive(state.descents, state.best, state.cycles, state.training_losses, state.scores,
          state.is_finished);
}

template <class Archive>
void visit(Archive& archive, KeptGroups::Choice& choice) {
  archive(choice.epochs, choice.weights, choice.weighed_at, choice.is_settled, choice.is_due);
}

template <class Archive>
void visit(Archive& archive, KeptGroups::State& state) {
  archive(state.choices, state.losses);
}

template <class Archive>
void visit(Archive& archive, EpochResult& result) {
  archive(result.member, result.epoch, result.learning_rate, result.training_loss,
          result.validation_loss, result.best_validation_loss, result.constant_loss,
          result.best_epoch, result.best, result.seconds);
}

template <class Archive>
void visit(Archive& archive, RunState& state) {
  archive(state.epoch, state.whole_epochs, state.groups, state.kept, state.history);
}

/// Snapshots that several tasks keep are written once and shared again when read.
struct Writer : ByteWriter<Writer> {
  using ByteWriter::write;
  template <class T>
  void write(const T& value) requires std::is_class_v<T> {
    visit(*this, const_cast<T&>(value));  // it is only read
  }
  void write(const std::shared_ptr<const Snapshot>& snapshot) {
    if (!snapshot) return write(std::uint64_t{0});
    const auto [found, is_new] = numbers.try_emplace(snapshot.get(), numbers.size() + 1);
    write(found->second);
    if (is_new) write(*snapshot);
  }
  std::map<const Snapshot*, std::uint64_t> numbers;
};

struct Reader : ByteReader<Reader> {
  using ByteReader::ByteReader;
  using ByteReader::read;
  template <class T>
  void read(T& value) requires std::is_class_v<T> {
    visit(*this, value);
  }
  void read(std::shared_ptr<const Snapshot>& snapshot) {
    std::uint64_t number = 0;
    read(number);
    if (number == 0) return snapshot.reset();
    if (number > snapshots.size()) {
      Snapshot next;
      read(next);
      snapshots.push_back(std::make_shared<const Snapshot>(std::move(next)));
    }
    expect(number <= snapshots.size());
    snapshot = snapshots[number - 1];
  }
  std::vector<std::shared_ptr<const Snapshot>> snapshots;
};

}  // namespace

std::string to_bytes(const RunState& state) {
  Writer writer;
  writer.write(state);
  return writer.take();
}

RunState run_state_from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  RunState state;
  reader.read(state);
  reader.expect_end();
  return state;
}

}  // namespace softwood
