#pragma once

#include <functional>

#include "softwood/train.h"

namespace softwood {

/// Called all along by long work that has nothing to keep yet: asks hooks.should_stop a few times a
/// second, and throws Stopped if it says so. For one thread; `hooks` is borrowed. Empty without
/// that hook.
std::function<void()> make_stop_check(const Hooks& hooks);

}  // namespace softwood
