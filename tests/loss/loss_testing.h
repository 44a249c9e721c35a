#pragma once

#include <map>
#include <string>
#include <vector>

#include "loss/catalogue/find_loss.h"
#include "loss/language/loss_program.h"

namespace softwood {

/// A loss at one row.
struct Evaluated {
  double loss = 0;
  std::vector<double> gradient;
};

/// The program of what a user may write after --loss.
LossProgram program_of(const std::string& spec, std::size_t num_classes = 0);

/// Columns come by name; those the program does not read may be left out.
Evaluated evaluate_at(const LossProgram& program, double y, const std::vector<double>& f,
                      const std::map<std::string, double>& columns = {});
std::map<std::string, std::vector<double>> predict_at(
    const LossProgram& program, const std::vector<double>& f,
    const std::map<std::string, double>& columns = {});

/// P(response <= q); columns that the cdf reads are not given.
double cdf_at(const LossProgram& program, double q, const std::vector<double>& f);

/// Fails the test unless every partial derivative agrees with differences of the loss's values
/// (central, extrapolated to step 0) to `tolerance`, relative to the size of loss and gradient.
void expect_gradient(const LossProgram& program, double y, const std::vector<double>& f,
                     const std::map<std::string, double>& columns = {}, double tolerance = 1e-6);

}  // namespace softwood
