#include "task/tasks.h"

#include <utility>

namespace softwood {

Tasks::Tasks(std::vector<Task> tasks) : tasks_(std::move(tasks)) {
  for (std::size_t index = 0; index < tasks_.size(); ++index) tasks_[index].index_in_model = index;
  count_outputs();
}

Tasks Tasks::only(std::size_t index) const {
  Tasks alone;
  alone.tasks_ = {tasks_[index]};
  alone.count_outputs();
  return alone;
}

Task& Tasks::push_back(Task task) {
  task.first_output = num_outputs();
  task.index_in_model = tasks_.size();
  return tasks_.emplace_back(std::move(task));
}

void Tasks::replace_program(std::size_t index, LossProgram program) {
  tasks_[index].program = std::move(program);
  count_outputs();
}

std::size_t Tasks::num_outputs() const {
  return tasks_.empty() ? 0 : tasks_.back().first_output + tasks_.back().num_outputs();
}

void Tasks::count_outputs() {
  std::size_t next = 0;
  for (Task& task : tasks_) {
    task.first_output = next;
    next += task.num_outputs();
  }
}

}  // namespace softwood
