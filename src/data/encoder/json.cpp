#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/strict_json.h"
#include "data/encoder/encoder.h"
#include "data/text/date_parts.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using Kind = EncodedColumn::Kind;
using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& what) {
  throw Error(fmt::format("the encoder in this model is damaged: {}.", what));
}

void require(bool condition, const EncodedColumn& column, const char* what) {
  if (!condition) fail(fmt::format("column '{}' {}", column.name(), what));
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::curve:
      return "curve";
    case Kind::levels:
      return "levels";
    case Kind::linear:
      break;
  }
  return "linear";
}

Json to_json(const EncodedColumn& column) {
  Json json = {{"kind", kind_name(column.kind)}, {"source", column.source}};
  if (!column.part.empty()) json["part"] = column.part;
  if (column.kind == Kind::levels) {
    json["levels"] = column.levels;
    return json;
  }
  json["mean"] = column.mean;
  json["sd"] = column.sd;
  if (column.kind == Kind::curve) json["edges"] = column.edges;
  if (!column.coarse.empty()) json["coarse"] = column.coarse;
  return json;
}

void validate_coarse(const EncodedColumn& column) {
  const std::vector<std::uint32_t>& coarse = column.coarse;
  const auto not_ascending =
      std::adjacent_find(coarse.begin(), coarse.end(), std::greater_equal<>());
  require(coarse.size() >= 2 && not_ascending == coarse.end() && coarse.front() == 0 &&
              coarse.back() + std::size_t{1} == column.edges.size(),
          column, "has a coarse scale that does not fit its edges");
}

void validate(const EncodedColumn& column) {
  require(!column.source.empty(), column, "has no source");
  require(find_date_part(column.part).has_value(), column, "is an unknown part of a date");
  if (column.kind == Kind::levels) {
    const std::set<std::string> distinct(column.levels.begin(), column.levels.end());
    require(distinct.size() == column.levels.size(), column, "repeats a level");
    require(column.part.empty(), column, "is a part of a date, with levels");
    return;
  }
  // What is linear has no scale at all, so no coarse one.
  require(column.kind == Kind::curve || column.coarse.empty(), column, "is linear, with a scale");
  if (column.kind != Kind::curve) return;
  require(column.edges.size() >= 2, column, "has fewer than two edges");
  const auto not_ascending = std::adjacent_find(column.edges.begin(), column.edges.end(),
                                                [](double a, double b) { return !(a < b); });
  require(not_ascending == column.edges.end(), column, "has edges that do not ascend");
  if (!column.coarse.empty()) validate_coarse(column);
}

/// A text that may be absent.
std::string text_or_none(const Json& json, const char* key) {
  return json.contains(key) ? strict_json::text(json, key) : std::string();
}

EncodedColumn column_from(const Json& json) {
  EncodedColumn column;
  column.kind = strict_json::one_of(json, "kind",
                                    std::array{Kind::curve, Kind::levels, Kind::linear}, kind_name);
  column.source = strict_json::text(json, "source");
  column.part = text_or_none(json, "part");
  if (column.kind == Kind::levels) {
    column.levels = strict_json::texts(json, "levels");
  } else {
    column.mean = strict_json::finite_number(json, "mean");
    column.sd = strict_json::positive_number(json, "sd");
    if (column.kind == Kind::curve) column.edges = strict_json::finite_numbers(json, "edges");
    if (json.contains("coarse"))
      column.coarse = strict_json::integers<std::uint32_t>(json, "coarse");
  }
  validate(column);
  return column;
}

ReadAs read_as_from(const EncodedColumn& column, const Json& date_orders) {
  if (column.kind == Kind::levels) return {ColumnKind::categorical};
  if (column.part.empty()) return {ColumnKind::numeric};
  const std::string& order = strict_json::text(date_orders, column.source.c_str());
  require(order == "ymd" || order == "dmy" || order == "mdy", column, "has an unknown date order");
  return {ColumnKind::datetime, order};
}

}  // namespace

Json Encoder::to_json() const {
  Json columns = Json::array(), date_orders = Json::object();
  for (const EncodedColumn& column : columns_) columns.push_back(softwood::to_json(column));
  for (const auto& [source, read] : read_as_) {
    if (read.kind == ColumnKind::datetime) date_orders[source] = read.date_order;
  }
  return {{"columns", std::move(columns)}, {"date_orders", std::move(date_orders)}};
}

Encoder Encoder::from_json(const Json& json) {
  try {
    Encoder encoder;
    std::set<std::string> names;
    for (const Json& entry : strict_json::list(json, "columns")) {
      EncodedColumn column = column_from(entry);
      if (!names.insert(column.name()).second)
        fail(fmt::format("'{}' occurs twice", column.name()));
      const ReadAs read = read_as_from(column, strict_json::object(json, "date_orders"));
      const auto known = encoder.read_as_.emplace(column.source, read).first;
      require(known->second.kind == read.kind, column, "contradicts another of the same source");
      encoder.columns_.push_back(std::move(column));
    }
    if (encoder.columns_.empty()) fail("it has no columns");
    return encoder;
  } catch (const Json::exception& error) {
    fail(error.what());
  }
}

}  // namespace softwood
