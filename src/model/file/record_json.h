#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/training_record.h"

namespace softwood {

/// How a member was trained, as the file's description has it: without clock and host, so that same
/// training gives same bytes.
nlohmann::json record_to_json(const MemberRecord& record);
/// `member`: its number, from 1. Throws Error if something does not fit together.
MemberRecord record_from_json(const nlohmann::json& text, int member, std::size_t num_tasks,
                              std::size_t num_bundles);

}  // namespace softwood
