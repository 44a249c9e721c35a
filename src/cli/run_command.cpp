#include "cli/run_command.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/nearest_name.h"
#include "base/printable.h"
#include "cli/data_source.h"
#include "cli/interrupt.h"
#include "cli/old_options.h"
#include "cli/talk.h"
#include "cli/verbs.h"
#include "softwood/error.h"

namespace softwood::cli {
namespace {

constexpr int kUserError = 2;
/// What a shell reports for a program that a closed pipe has ended.
constexpr int kClosedPipeExit = 141;

int complain(const char* message) {
  constexpr std::size_t kLongestMessage = 8000;
  // Messages quote names from files, which must not command the terminal or fill it.
  talk(fmt::format("softwood: {}\n", printable_lines(shortened(message, kLongestMessage))));
  return kUserError;
}

/// CLI11 would only say that a verb is missing.
void check_verb(const CLI::App& app, const std::string& word) {
  if (word.empty() || word[0] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
  throw Error(fmt::format("there is no verb '{}'.{} 'softwood --help' lists them.", word,
                          did_you_mean(word, verbs)));
}

/// An option that no verb knows, with the nearest one that it does.
std::string unknown_option(const CLI::App& app) {
  for (const CLI::App* verb : app.get_subcommands()) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb->get_options()) {
      if (is_old(*option)) continue;
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    for (const std::string& word : verb->remaining()) {
      if (word.starts_with("-")) {
        return fmt::format("'softwood {}' has no option '{}'.{}", verb->get_name(), word,
                           did_you_mean(word, names));
      }
    }
  }
  return "";
}

int parse_and_run(int argc, const char* const* argv, const ForeignReader& read_foreign) {
  CLI::App app("Soft decision trees for any differentiable loss.");
  app.set_version_flag("--version", "softwood " SOFTWOOD_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Start here:\n"
      "  softwood train visits.csv --target visits --loss zip -o visits.softwood\n"
      "  softwood predict visits.softwood new.csv -o predictions.csv\n"
      "  softwood evaluate visits.softwood test.csv\n"
      "  softwood compare visits.csv --target visits --losses poisson,zip,nb,zinb\n"
      "  softwood losses\n"
      "Each verb explains itself with --help.");
  add_train(app, read_foreign);
  add_predict(app, read_foreign);
  add_evaluate(app, read_foreign);
  add_compare(app, read_foreign);
  add_describe(app);
  add_losses(app);
  if (argc > 1) check_verb(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    const std::string unknown = unknown_option(app);
    if (!unknown.empty()) return complain(unknown.c_str());
    return complain(
        fmt::format("{}\nRun 'softwood --help' or 'softwood VERB --help'.", error.what()).c_str());
  }
  return interrupted_exit();
}

/// Results that did not reach stdout (a full disk, a closed pipe) are no success. Some file systems
/// say so only when a file is closed, be it by another name.
void end_standard_output() {
  if (std::fflush(stdout) != 0) fail_on_standard_output();
  const int copy = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0 && ::close(copy) != 0 && errno != EINTR) fail_on_standard_output();
}

}  // namespace

int run_command(int argc, const char* const* argv, const ForeignReader& read_foreign) {
  try {
    const int status = parse_and_run(argc, argv, read_foreign);
    end_standard_output();
    return status;
  } catch (const ClosedPipe&) {
    return kClosedPipeExit;
  } catch (const Error& error) {
    return complain(error.what());
  } catch (const std::bad_alloc&) {
    return complain("out of memory: the command needs more than this process may have.");
  } catch (const std::exception& error) {
    talk(fmt::format("softwood: internal error: {}\n", error.what()));
  }
  return 1;
}

}  // namespace softwood::cli
