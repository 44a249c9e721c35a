#include "cli/old_options.h"

#include "options/old_names.h"
#include "softwood/error.h"

namespace softwood::cli {
namespace {

std::string flag(std::string_view name) {
  return "--" + std::string(name);
}

}  // namespace

void add_old_options(CLI::App& verb) {
  for (const OldName& each : kOldNames) verb.add_option(flag(each.old_name))->group("");
}

void renew_old_options(CLI::App& verb, const std::function<void(const std::string&)>& warn) {
  for (const OldName& each : kOldNames) {
    const std::string old_flag = flag(each.old_name), new_flag = flag(each.name);
    const CLI::Option* old = verb.get_option(old_flag);
    if (old->count() == 0) continue;
    CLI::Option* today = verb.get_option(new_flag);
    if (today->count() > 0) throw Error(both_names_error(old_flag, new_flag));
    warn(old_name_warning(old_flag, new_flag));
    give(*today, old->results());
  }
}

bool is_old(const CLI::Option& option) {
  return option.get_group().empty();
}

void give(CLI::Option& option, const std::vector<std::string>& values) {
  for (const std::string& value : values) option.add_result(value);
  option.run_callback();
}

}  // namespace softwood::cli
