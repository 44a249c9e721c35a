#include "model/output_blocks.h"

#include <algorithm>

#include "model/member_sums.h"
#include "task/raw_outputs.h"

namespace softwood {
namespace {

/// Rows at once for each thread: enough pieces of work for all, some ten megabytes for a hundred
/// columns.
constexpr std::size_t kRowsPerThread = std::size_t{1} << 14;

}  // namespace

TaskOutputs OutputBlock::of_task(const Task& task) const {
  TaskOutputs outputs;
  for (const std::vector<double>& f : members) {
    outputs.push_back(
        std::span(f).subspan(task.first_output * num_rows, task.num_outputs() * num_rows));
  }
  return outputs;
}

OutputBlocks::OutputBlocks(const ModelParts& parts, const Table& table, ThreadTeam& team)
    : parts_(parts), encoder_(parts.encoder, table), num_rows_(table.num_rows()), team_(team) {}

void OutputBlocks::visit(const std::function<void(const OutputBlock&)>& visit) const {
  const std::size_t at_once = kRowsPerThread * static_cast<std::size_t>(team_.size());
  std::size_t first = 0;
  do {
    const std::size_t count = std::min(at_once, num_rows_ - first);
    visit(block(first, count));
    first += count;
  } while (first < num_rows_);
}

OutputBlock OutputBlocks::block(std::size_t first, std::size_t count) const {
  const Rows rows = encoder_.encode(first, count, team_);
  OutputBlock block{.first = first, .num_rows = count, .members = {}};
  for (const Member& member : parts_.members) {
    block.members.push_back(
        in_units(parts_.tasks, member.offset, member_sums(member, rows.view(), team_)));
  }
  return block;
}

}  // namespace softwood
