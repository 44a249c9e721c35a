#include "loss/language/loss_source.h"

#include "loss/language/parser.h"

namespace softwood {

ParsedLoss::ParsedLoss(LossSource source)
    : LossSource(std::move(source)),
      syntax(std::make_shared<const loss::Syntax>(loss::parse(text, name))) {}

}  // namespace softwood
