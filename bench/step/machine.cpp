#include "step/machine.h"

#include <algorithm>
#include <chrono>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "step/machine.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

/// Sums that do not wait for each other: twice the latency times the units of today's cores.
inline constexpr int kSums = 12;

/// Multiply-adds of floats done; `result` keeps the compiler from leaving them out.
double multiply_add(std::size_t rounds, float* result) {
  const Floats d;
  const Vector factor = hn::Set(d, 0.999F), term = hn::Set(d, 0.001F);
  Vector sum[kSums];  // all different, or the compiler would find one of them enough
  HWY_UNROLL(12)
  for (int i = 0; i < kSums; ++i) sum[i] = hn::Set(d, *result + static_cast<float>(i));
  for (std::size_t round = 0; round < rounds; ++round) {
    HWY_UNROLL(12) for (Vector& each : sum) each = hn::MulAdd(each, factor, term);
  }
  for (const Vector& each : sum) *result += hn::GetLane(hn::SumOfLanes(d, each));
  return static_cast<double>(rounds * kSums * hn::Lanes(d));
}

/// to ← 0.5·to + from.
void add_half(std::size_t count, const float* from, float* to) {
  const Floats d;
  const Vector half = hn::Set(d, 0.5F);
  for (std::size_t at = 0; at + hn::Lanes(d) <= count; at += hn::Lanes(d))
    hn::StoreU(hn::MulAdd(hn::LoadU(d, to + at), half, hn::LoadU(d, from + at)), d, to + at);
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(multiply_add);
HWY_EXPORT(add_half);

/// The best of several rounds of `work`, which returns what it has done, per second.
template <class Work>
double best_rate(const Work& work) {
  double best = 0;
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const double done = work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::max(best, done / taken.count());
  }
  return best;
}

}  // namespace

double peak_gflops() {
  float result = 1;
  return best_rate([&] { return 2e-9 * HWY_DYNAMIC_DISPATCH(multiply_add)(200000, &result); });
}

double cache_gigabytes_per_second() {
  constexpr std::size_t kFloats = 50000;  // two arrays of 200 kB: beyond the first level
  std::vector<float> from(kFloats, 1.0F), to(kFloats, 1.0F);
  return best_rate([&] {
    constexpr int kTimes = 100;
    for (int time = 0; time < kTimes; ++time)
      HWY_DYNAMIC_DISPATCH(add_half)(kFloats, from.data(), to.data());
    return 1e-9 * kTimes * kFloats * sizeof(float) * 3;
  });
}

}  // namespace softwood
#endif
