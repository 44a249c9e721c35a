#include "train/engine/engine.h"

#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "softwood/error.h"
#include "train/engine/reference_engine.h"
#include "train/engine/simd_engine.h"

namespace softwood {

std::unique_ptr<Engine> make_engine(std::vector<EngineGroup> groups, ThreadTeam& team,
                                    int threads) {
  const char* const asked = std::getenv("SOFTWOOD_ENGINE");
  const std::string name = asked == nullptr ? "simd" : asked;
  if (name == "simd") return std::make_unique<SimdEngine>(groups, team, threads);
  if (name == "reference") return std::make_unique<ReferenceEngine>(groups);
  throw Error(fmt::format("SOFTWOOD_ENGINE is '{}', but must be simd or reference.", name));
}

}  // namespace softwood
