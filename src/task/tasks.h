#pragma once

#include <vector>

#include "task/task.h"

namespace softwood {

/// The tasks of a model, or those that a group of trees learns. Their raw outputs stand one after
/// another: this is the one place that counts them.
class Tasks {
 public:
  Tasks() = default;
  /// All tasks of a model, in order.
  explicit Tasks(std::vector<Task> tasks);

  /// Some of them, as the tasks of a group: outputs are counted anew, indices in the model stay.
  Tasks only(std::size_t index) const;
  /// Of the model's next task.
  Task& push_back(Task task);
  /// Another loss has another number of outputs.
  void replace_program(std::size_t index, LossProgram program);

  std::size_t size() const { return tasks_.size(); }
  bool empty() const { return tasks_.empty(); }
  Task& operator[](std::size_t index) { return tasks_[index]; }
  const Task& operator[](std::size_t index) const { return tasks_[index]; }
  const Task& front() const { return tasks_.front(); }
  auto begin() { return tasks_.begin(); }
  auto end() { return tasks_.end(); }
  auto begin() const { return tasks_.begin(); }
  auto end() const { return tasks_.end(); }
  /// Raw outputs of all of them.
  std::size_t num_outputs() const;

 private:
  void count_outputs();

  std::vector<Task> tasks_;
};

}  // namespace softwood
