#include "train/trained_members.h"

#include <functional>
#include <mutex>
#include <optional>

#include "base/thread_team.h"
#include "model/member_sums.h"
#include "model/prediction_bases.h"
#include "task/raw_outputs.h"
#include "train/descent/examples_loss.h"
#include "train/descent/trainer.h"
#include "train/finish/balance.h"
#include "train/linear/fit_linear.h"
#include "train/start/prepared_group.h"
#include "train/stop_check.h"
#include "train/thin/thin_members.h"
#include "train/warm/warm_start.h"
#include "tree/node_visits.h"

namespace softwood {
namespace {

/// The same trees as a file would give them back: training's slopes and means are left behind.
Ensemble for_prediction(const Ensemble& trained, const Encoder& encoder) {
  EnsembleShape shape = trained.shape();
  shape.columns = prediction_bases(encoder);
  return Ensemble(std::move(shape));
}

/// All members of a model: reads as the method.
class MembersRun {
 public:
  MembersRun(const Preparation& preparation, Checkpoints& checkpoints, const Hooks& hooks)
      : preparation_(preparation),
        checkpoints_(checkpoints),
        hooks_(hooks),
        judged_(preparation.judged()),
        team_(preparation.settings.threads) {
    for (std::size_t member = 0; member < preparation.splits.size(); ++member)
      sides_.push_back(preparation.sides(member));
  }

  TrainedMembers run() {
    std::optional<RunState> state = checkpoints_.take_up(preparation_);
    if (adds_trees()) {
      stand_on_old_members();
    } else if (settings().has_linear) {
      find_linear_part();
    }
    std::optional<std::span<const double>> linear;
    if (!rest_.empty()) linear = linear_scores_;
    Trainer trainer(settings(), preparation_.tasks, prepared_members(), judged_, linear, hooks_);
    descend(trainer, std::move(state));
    TrainedMembers trained;
    for (std::size_t member = 0; member < sides_.size(); ++member)
      trained.members.push_back(finished(trainer, member));
    trained.members[0].record.history = trainer.history();
    for (std::size_t member = 0; member < sides_.size(); ++member)
      count_visits(sides_[member], trained.members[member]);
    trained.losses_before_thinning = trained.losses_before_balance = trainer.validation_losses();
    thin(trained);
    balance(trained);
    return trained;
  }

 private:
  /// To the end, with a rest wherever a checkpoint is due.
  void descend(Trainer& trainer, std::optional<RunState> state) {
    if (state) trainer.set_state(std::move(*state));
    if (!checkpoints_.is_wanted()) return trainer.run();
    const auto pause = [&] { return checkpoints_.is_due(trainer.whole_epochs()); };
    Trainer::Halt halt = trainer.advance(pause);
    for (; halt == Trainer::Halt::rest; halt = trainer.advance(pause))
      checkpoints_.save(trainer.state(), trainer.is_at_its_end());
    // What ended by itself would end there again; what was stopped goes on from here.
    if (halt == Trainer::Halt::ended && !trainer.is_at_its_end())
      checkpoints_.save(trainer.state(), true);
    if (halt == Trainer::Halt::ended) return;
    checkpoints_.save(trainer.state(), false);
    trainer.conclude();
  }

  const Settings& settings() const { return preparation_.settings; }

  Settings member_settings(std::size_t member) const {
    if (sides_.size() == 1) return settings();
    return settings_for_member(settings(), preparation_.options.seed, member,
                               sides_[member].training.size());
  }

  /// Without a linear part, the rest is the whole.
  const TrainingAndValidation& rest(std::size_t member) const {
    return rest_.empty() ? sides_[member] : rest_[member];
  }

  const ModelParts* start() const { return preparation_.start.get(); }
  bool adds_trees() const { return preparation_.num_added_trees > 0; }

  /// Trees are added to what the old members say, as they are to a linear part.
  void stand_on_old_members() {
    for (std::size_t member = 0; member < sides_.size(); ++member) {
      const Member& old = start()->members[member];
      linear_.scores.push_back(member_sums(old, sides_[member].validation.chosen(), team_));
      linear_.training_scores.push_back(member_sums(old, sides_[member].training.chosen(), team_));
    }
    add_bases();
  }

  /// With all rows at hand the linear part is fitted anew; a few new ones would teach it less than
  /// it knows.
  void find_linear_part() {
    if (start() == nullptr || can_fit_linear_part()) fit_linear_part();
    if (start() != nullptr && linear_.members.empty()) keep_linear_part();
    if (!linear_.members.empty()) add_bases();
  }

  /// Trees that were added to it later stand on the one that there is.
  bool can_fit_linear_part() const {
    return preparation_.has_all_learned_rows() && tells_groups(start()->members[0].record);
  }

  void keep_linear_part() {
    for (std::size_t member = 0; member < sides_.size(); ++member) {
      linear_.members.push_back(
          old_linear_part(start()->members[member], preparation_.tasks).value());
      const auto scores = [&](const Examples& examples) {
        std::vector<double> g(preparation_.tasks.num_outputs() * examples.size(), 0.0);
        linear_.members.back().add_sums(
            examples.positions, examples.rows,
            MatrixView<double>{g.data(), preparation_.tasks.num_outputs(), examples.size()}, team_);
        return g;
      };
      linear_.scores.push_back(scores(sides_[member].validation));
      linear_.training_scores.push_back(scores(sides_[member].training));
    }
  }

  void fit_linear_part() {
    std::vector<LinearSides> sides;
    for (const TrainingAndValidation& each : sides_)
      sides.push_back({&each.training, &each.validation});
    linear_ =
        fit_linear(preparation_.tasks, preparation_.encoder, sides, team_, make_stop_check(hooks_));
  }

  void add_bases() {
    linear_scores_ = judged_rows([&](std::size_t member) { return linear_.scores[member]; });
    for (std::size_t member = 0; member < sides_.size(); ++member) {
      TrainingAndValidation& rest = rest_.emplace_back(sides_[member]);
      add_base(linear_.training_scores[member], rest.training);
      add_base(linear_.scores[member], rest.validation);
    }
  }

  void add_base(const std::vector<double>& scores, Examples& examples) const {
    for (const Task& task : preparation_.tasks) {
      const auto first =
          scores.begin() + static_cast<std::ptrdiff_t>(task.first_output * examples.size());
      examples.base.emplace_back(
          first, first + static_cast<std::ptrdiff_t>(task.num_outputs() * examples.size()));
    }
  }

  std::vector<MemberRun> prepared_members() {
    std::mutex mutex;
    std::function<void()> check = make_stop_check(hooks_);
    std::function<void()> check_by_any_thread;
    if (check) {
      check_by_any_thread = [&] {
        const std::lock_guard lock(mutex);
        check();
      };
    }
    std::vector<MemberRun> members(sides_.size());
    if (start() != nullptr && !adds_trees()) {
      const auto groups = groups_to_train_on(*start());
      for (std::size_t member = 0; member < members.size(); ++member) {
        members[member] = {
            .groups = warm_groups(member_settings(member), preparation_, start()->members[member],
                                  groups[member], sides_[member].training.chosen()),
            .rows = &sides_[member],
            .rest = &rest(member)};
      }
      return members;
    }
    team_.for_each(members.size(), [&](std::size_t member) {
      const MemberExamples examples{.whole = sides_[member].training,
                                    .rest = rest(member).training,
                                    .first = sides_[0].training,
                                    .validates = sides_[member].validation.size() > 0};
      members[member].rows = &sides_[member];
      members[member].rest = &rest(member);
      members[member].groups =
          prepare_groups(member_settings(member), preparation_, examples, check_by_any_thread);
    });
    return members;
  }

  Member finished(const Trainer& trainer, std::size_t member) const {
    Member trained = trained_member(trainer, member);
    if (!adds_trees()) return trained;
    std::vector<double> old_weights;
    for (const Task& task : preparation_.tasks) old_weights.push_back(trainer.linear_weight(task));
    return with_added_trees(start()->members[member], preparation_.tasks, old_weights,
                            std::move(trained));
  }

  Member trained_member(const Trainer& trainer, std::size_t member) const {
    BlendedTrees blended = trainer.blended(member);
    return {.ensemble = for_prediction(blended.ensemble, preparation_.encoder),
            .values = std::move(blended.values),
            .offset = constant_offsets(preparation_.tasks),
            .linear = linear_part(trainer, member),
            .best_epoch = trainer.best_epoch(),
            .record = {.seed = member_settings(member).seed,
                       .num_training_rows = sides_[member].training.size(),
                       .num_validation_rows = sides_[member].validation.size(),
                       .was_stopped = !trainer.is_finished(),
                       .validation_losses = {},
                       .groups = trainer.outcomes(),
                       .group_of_bundle = std::move(blended.group_of_bundle),
                       .nodes_visited = {},
                       .history = {}}};
  }

  /// Of a smooth step, which may leave out parts of a tree.
  static void count_visits(const TrainingAndValidation& sides, Member& member) {
    if (member.ensemble.shape().activation != Activation::smooth_step) return;
    const Examples& rows = sides.validation.size() > 0 ? sides.validation : sides.training;
    member.record.nodes_visited = mean_node_visits(member.ensemble, member.values, rows.chosen());
  }

  /// With its weights multiplied into it; none if it has none.
  std::optional<LinearPart> linear_part(const Trainer& trainer, std::size_t member) const {
    bool counts = false;
    std::optional<LinearPart> part;
    if (linear_.members.empty()) return part;
    part = linear_.members[member];
    for (const Task& task : preparation_.tasks) {
      const double weight = trainer.linear_weight(task);
      part->scale(task.first_output, task.num_outputs(), weight);
      counts = counts || weight != 0;
    }
    if (!counts) part.reset();
    return part;
  }

  /// What a member says of some rows, f [outputs × rows].
  std::vector<double> outputs(const Member& member, const Examples& examples) {
    return in_units(preparation_.tasks, member.offset,
                    member_sums(member, examples.chosen(), team_));
  }

  /// The validation rows' f [outputs × rows], each by its own member.
  std::vector<double> judged_outputs(const std::vector<Member>& members) {
    return judged_rows(
        [&](std::size_t member) { return outputs(members[member], sides_[member].validation); });
  }

  /// From `of_member(member)` [outputs × its validation rows] to [outputs × all of them].
  std::vector<double> judged_rows(
      const std::function<std::vector<double>(std::size_t)>& of_member) const {
    const std::size_t num_outputs = preparation_.tasks.num_outputs();
    std::vector<double> all(num_outputs * judged_.size());
    std::size_t first = 0;
    for (std::size_t member = 0; member < sides_.size(); ++member) {
      const std::size_t num_rows = sides_[member].validation.size();
      const std::vector<double> own = of_member(member);
      for (std::size_t output = 0; output < num_outputs; ++output)
        std::copy_n(own.data() + output * num_rows, num_rows,
                    all.data() + output * judged_.size() + first);
      first += num_rows;
    }
    return all;
  }

  /// Judged by rows that the trees have not learned from, if there are any.
  void thin(TrainedMembers& trained) {
    thin_members(trained.members, preparation_.tasks, preparation_.encoder,
                 judged_.size() > 0 ? judged_ : sides_[0].training, settings().keep_loss, team_);
    if (judged_.size() > 0 && !trained.members[0].kept.keeps_all())
      trained.losses_before_balance =
          mean_losses(preparation_.tasks, judged_, judged_outputs(trained.members));
  }

  /// One shift for all members: it is their average that is to be right.
  void balance(TrainedMembers& trained) {
    if (settings().balances) {
      std::vector<BalancedRows> parts;
      for (std::size_t member = 0; member < sides_.size(); ++member) {
        const Examples& training = sides_[member].training;
        parts.push_back({&training, outputs(trained.members[member], training)});
      }
      parts.push_back({&judged_, judged_outputs(trained.members)});
      const std::vector<double> offsets = balanced_offsets(preparation_.tasks, parts, team_);
      for (Member& member : trained.members) member.offset = offsets;
    }
    if (judged_.size() == 0) return;
    trained.losses = mean_losses(preparation_.tasks, judged_, judged_outputs(trained.members));
    for (std::size_t member = 0; member < sides_.size(); ++member) {
      const Examples& validation = sides_[member].validation;
      trained.members[member].record.validation_losses =
          mean_losses(preparation_.tasks, validation, outputs(trained.members[member], validation));
    }
  }

  const Preparation& preparation_;
  Checkpoints& checkpoints_;
  const Hooks& hooks_;
  const Examples judged_;
  ThreadTeam team_;
  std::vector<TrainingAndValidation> sides_;
  std::vector<TrainingAndValidation> rest_;  // the same with the linear part as base
  LinearFit linear_;
  std::vector<double> linear_scores_;  // g [outputs × validation rows of all members]
};

}  // namespace

TrainedMembers train_members(const Preparation& preparation, Checkpoints& checkpoints,
                             const Hooks& hooks) {
  return MembersRun(preparation, checkpoints, hooks).run();
}

}  // namespace softwood
