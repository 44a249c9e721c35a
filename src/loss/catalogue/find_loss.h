#pragma once

#include <string_view>

#include "loss/language/loss_source.h"

namespace softwood {

/// What a user may write after --loss:
///   a catalogue name or a short one ("zip", "nb"), with settings or without, by name or by
///   position: huber(delta=2), huber(2), multi_quantile(0.1, 0.9)
///   @FILE, with settings or without: @mine.loss(k=3)
///   a formula in y and f (one line or several): (y - f)^2
/// Throws Error: unknown name (with the nearest), unreadable file, unknown setting, too many, a
/// text that does not parse.
ParsedLoss find_loss(std::string_view spec);

}  // namespace softwood
