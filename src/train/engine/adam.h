#pragma once

#include <span>

namespace softwood {

/// One step of Adam (Kingma & Ba 2015), with decoupled decay (Loshchilov & Hutter 2019) and an
/// exponential average of the weights:
///   g ← gradient_scale · g + l2 · θ;  m ← β1 m + (1 − β1) g;  v ← β2 v + (1 − β2) g²
///   θ ← θ − rate · m·m_correction / (√(v·v_correction) + ε) − decay · θ
///   average ← average + average_weight · (θ − average)
struct AdamStep {
  float rate = 0;
  float beta1 = 0.9F;
  float beta2 = 0.95F;
  float m_correction = 1;  ///< 1 / (1 − β1^t)
  float v_correction = 1;  ///< 1 / (1 − β2^t)
  float epsilon = 1e-8F;
  float decay = 0;  ///< already multiplied by the rate
  float l2 = 0;
  float gradient_scale = 1;
  float average_weight = 0;  ///< 0: the average is left alone
};

/// All spans of one length.
void adam_update(const AdamStep& step, std::span<float> parameters,
                 std::span<const float> gradients, std::span<float> first_moments,
                 std::span<float> second_moments, std::span<float> averages);

}  // namespace softwood
