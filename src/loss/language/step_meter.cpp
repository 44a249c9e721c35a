#include "loss/language/step_meter.h"

namespace softwood::loss {

constinit thread_local std::size_t StepMeter::total_ = 0;

}  // namespace softwood::loss
