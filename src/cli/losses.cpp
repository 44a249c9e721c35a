#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "base/simd_target.h"
#include "cli/data_source.h"
#include "cli/verbs.h"
#include "loss/catalogue/catalogue.h"
#include "loss/catalogue/find_loss.h"
#include "loss/language/loss_program.h"
#include "softwood/error.h"
#include "task/responses.h"

namespace softwood::cli {
namespace {

/// Few enough to read, enough to see a wrong sign: low, middle and high of responses and outputs.
constexpr double kResponses[] = {0, 0.5, 1, 2.5, 10};
constexpr double kOutputs[] = {-2, 0, 0.5, 3};
constexpr std::size_t kClasses = 3;

std::string list_of_losses() {
  std::string text;
  for (const std::string& kind : loss_kinds()) {
    text += fmt::format("{}\n", kind);
    for (const CatalogueEntry& entry : loss_catalogue()) {
      if (entry.kind != kind) continue;
      text += fmt::format("  {:<33}{}", entry.name, entry.summary);
      if (!entry.aliases.empty())
        text += fmt::format("  (also {})", fmt::join(entry.aliases, ", "));
      text += "\n";
    }
    text += "\n";
  }
  text += "'softwood losses NAME' prints one; copy it, edit it, use it with --loss @FILE.\n";
  return text;
}

std::string text_of(const std::string& name) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : loss_catalogue()) {
    const auto& aliases = entry.aliases;
    if (entry.name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end())
      return entry.text;
    names.push_back(entry.name);
    names.insert(names.end(), aliases.begin(), aliases.end());
  }
  throw Error(fmt::format("there is no loss '{}'.{} 'softwood losses' lists them.", name,
                          did_you_mean(name, names)));
}

/// A grid of responses and outputs that the loss allows, columns all 1.
struct Points {
  std::vector<double> y;
  std::vector<std::vector<double>> f;  // per output
  std::vector<double> ones;

  LossData data(const LossProgram& program) const {
    return {.y = y,
            .columns = std::vector<std::span<const double>>(program.columns().size(), ones)};
  }
};

Points points_for(const LossProgram& program) {
  Points points;
  points.f.resize(program.outputs().size());
  for (const double y : kResponses) {
    for (std::size_t at = 0; at < std::size(kOutputs); ++at) {
      if (program.uses_classes() &&
          (y >= kClasses || y != static_cast<double>(static_cast<int>(y))))
        continue;
      points.y.push_back(y);
      for (std::size_t output = 0; output < points.f.size(); ++output) {
        // Different outputs get different values, so that a mix-up shows.
        points.f[output].push_back(kOutputs[(at + output) % std::size(kOutputs)]);
      }
    }
  }
  points.ones.assign(points.y.size(), 1.0);
  return points;
}

std::string header(const LossProgram& program) {
  std::string text = fmt::format("{:>8}", "y");
  for (const auto& output : program.outputs()) text += fmt::format(" {:>13}", output.name);
  text += fmt::format(" {:>13}", "loss");
  for (const auto& output : program.outputs()) text += fmt::format(" {:>13}", "d/d" + output.name);
  for (const auto& prediction : program.predictions()) {
    for (std::size_t part = 0; part < prediction.size; ++part) {
      text += fmt::format(" {:>13}", prediction.size == 1
                                         ? prediction.name
                                         : fmt::format("{}[{}]", prediction.name, part));
    }
  }
  return text + "\n";
}

std::string check(const std::string& spec) {
  choose_simd_target();
  const ParsedLoss source = find_loss(std::filesystem::is_regular_file(spec) ? "@" + spec : spec);
  const LossProgram program = LossProgram::compile(source, kClasses);
  const Points points = points_for(program);
  const std::size_t num_points = points.y.size();
  const std::size_t num_outputs = program.outputs().size();
  std::size_t num_predictions = 0;
  for (const auto& prediction : program.predictions()) num_predictions += prediction.size;
  std::vector<double> f, loss(num_points), gradient(num_outputs * num_points),
      predicted(num_predictions * num_points);
  for (const auto& values : points.f) f.insert(f.end(), values.begin(), values.end());
  const MatrixView<const double> outputs(f.data(), num_outputs, num_points);
  program.value_and_gradient(points.data(program), outputs, loss,
                             {gradient.data(), num_outputs, num_points});
  program.predict(points.data(program), outputs, {predicted.data(), num_predictions, num_points});

  std::string text =
      fmt::format("{}: {} output{}", source.name, num_outputs, num_outputs == 1 ? "" : "s");
  if (!program.columns().empty())
    text += fmt::format("; reads the columns {} (1 here)", fmt::join(program.columns(), ", "));
  text += "\n" + header(program);
  for (std::size_t point = 0; point < num_points; ++point) {
    LossData one = points.data(program).slice(point, 1);
    if (program.check(one)) continue;  // a response that the loss does not allow
    text += fmt::format("{:>8}", points.y[point]);
    const auto add = [&](double value) { text += fmt::format("{:>14.6g}", value); };
    for (std::size_t output = 0; output < num_outputs; ++output) add(outputs(output, point));
    add(loss[point]);
    for (std::size_t output = 0; output < num_outputs; ++output)
      add(gradient[output * num_points + point]);
    for (std::size_t part = 0; part < num_predictions; ++part)
      add(predicted[part * num_points + point]);
    text += "\n";
  }
  return text;
}

}  // namespace

void add_losses(CLI::App& app) {
  struct Command {
    std::string name, checked;
  };
  CLI::App* verb =
      app.add_subcommand("losses", "List the built-in losses, print one, or check your own");
  auto command = std::make_shared<Command>();
  verb->add_option("NAME", command->name, "Print the text of this loss")->option_text(" ");
  verb->add_option("--check", command->checked,
                   "Parse a loss file (or a formula) and print values and gradients")
      ->option_text("FILE");
  verb->footer(
      "Examples:\n"
      "  softwood losses zip > mine.loss     # start from a built-in one\n"
      "  softwood losses --check mine.loss\n"
      "  softwood losses --check '(y - f)^2'");
  verb->callback([command] {
    if (!command->checked.empty()) {
      write_output("-", check(command->checked));
    } else {
      write_output("-", command->name.empty() ? list_of_losses() : text_of(command->name));
    }
  });
}

}  // namespace softwood::cli
