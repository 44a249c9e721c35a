#include "train/linear/learned_rows.h"

#include <cmath>

namespace softwood {
namespace {

std::vector<double> pick(const std::vector<double>& from,
                         const std::vector<std::uint32_t>& places) {
  std::vector<double> picked;
  picked.reserve(places.size());
  for (const std::uint32_t place : places) picked.push_back(from[place]);
  return picked;
}

}  // namespace

LearnedRows learned_rows(const Examples& examples, const Responses& responses, std::size_t most) {
  std::vector<std::uint32_t> all;
  for (std::size_t place = 0; place < examples.size(); ++place) {
    if (!std::isnan(responses.y[place]) && examples.weight(place) > 0)
      all.push_back(static_cast<std::uint32_t>(place));
  }
  LearnedRows rows;
  const std::size_t count = std::min(all.size(), most);
  for (std::size_t i = 0; i < count; ++i) rows.places.push_back(all[i * all.size() / count]);
  rows.shares.resize(static_cast<Eigen::Index>(count));
  double total = 0;
  for (const std::uint32_t place : rows.places) total += examples.weight(place);
  for (std::size_t i = 0; i < count; ++i)
    rows.shares[static_cast<Eigen::Index>(i)] = examples.weight(rows.places[i]) / total;
  return rows;
}

Responses pick_responses(const Responses& responses, const std::vector<std::uint32_t>& places) {
  Responses picked{.y = pick(responses.y, places), .columns = {}};
  for (const std::vector<double>& column : responses.columns)
    picked.columns.push_back(pick(column, places));
  return picked;
}

}  // namespace softwood
