#pragma once

#include <cstddef>

/// What a loss may cost to compile, whoever wrote it: text on the command line, a function traced
/// in Python, a model file from anywhere. Any text compiles or is refused within about two seconds
/// and a few hundred megabytes, by counting, so that the answer is the same on every machine.
namespace softwood::loss {

inline constexpr std::size_t kMaxTextBytes = 256 * 1024;
/// Definitions, outputs, parameters, requirements, …
inline constexpr std::size_t kMaxStatements = 10'000;
/// Brackets in brackets, signs before signs: the parser calls itself for each.
inline constexpr int kMaxNesting = 200;
/// From an expression's root to its farthest name. Passes over the syntax, and its destructor, call
/// themselves this often; 1 + 1 + … counts one for each sign.
inline constexpr int kMaxHeight = 1000;

inline constexpr std::size_t kMaxVectorSize = 4096;
inline constexpr std::size_t kMaxOutputs = kMaxVectorSize;
inline constexpr std::size_t kMaxColumns = 10'000;
/// Components of all predictions.
inline constexpr std::size_t kMaxPredictions = 20'000;

/// Steps of compiling one graph, of about 2 µs: an operation counts one, and more if it has many
/// operands or is folded. No program has more instructions than this.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr std::size_t kMaxSteps = 50'000;  // sanitizers are slow, and fuzzers like limits
#else
inline constexpr std::size_t kMaxSteps = 800'000;
#endif
/// Operands that one step has the time for.
inline constexpr std::size_t kOperandsPerStep = 128;
/// Summands that one step has the time for.
inline constexpr std::size_t kTermsPerStep = 64;
/// Folding evaluates a program of its own.
inline constexpr std::size_t kStepsPerFold = 2;

/// Logarithms are taken apart as far as sums have no more terms and products are nested no deeper;
/// beyond it log(x) stays log(x).
inline constexpr std::size_t kMaxTerms = 2 * kMaxVectorSize;
inline constexpr std::size_t kMaxLogDepth = 500;

}  // namespace softwood::loss
