#include "loss/catalogue/foreign_losses.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace softwood::loss {
namespace {

constexpr std::array kForeignLosses = {
    ForeignLoss{"scikit-learn", "squared_error", "squared"},
    ForeignLoss{"scikit-learn", "squared_loss", "squared"},
    ForeignLoss{"scikit-learn", "least_squares", "squared"},
    ForeignLoss{"scikit-learn", "friedman_mse", "squared"},
    ForeignLoss{"scikit-learn", "neg_mean_squared_error", "squared"},
    ForeignLoss{"scikit-learn", "neg_root_mean_squared_error", "squared"},
    ForeignLoss{"scikit-learn", "absolute_error", "absolute"},
    ForeignLoss{"scikit-learn", "least_absolute_deviation", "absolute"},
    ForeignLoss{"scikit-learn", "neg_mean_absolute_error", "absolute"},
    ForeignLoss{"scikit-learn", "neg_log_loss", "logistic"},
    ForeignLoss{"scikit-learn", "deviance", "logistic"},
    ForeignLoss{"scikit-learn", "binary_crossentropy", "logistic"},
    ForeignLoss{"scikit-learn", "categorical_crossentropy", "softmax"},

    ForeignLoss{"XGBoost", "reg:squarederror", "squared"},
    ForeignLoss{"XGBoost", "reg:linear", "squared"},
    ForeignLoss{"XGBoost", "reg:absoluteerror", "absolute"},
    ForeignLoss{"XGBoost", "reg:pseudohubererror", "huber"},
    ForeignLoss{"XGBoost", "reg:quantileerror", "quantile"},
    ForeignLoss{"XGBoost", "reg:expectileerror", "expectile"},
    ForeignLoss{"XGBoost", "reg:logistic", "logistic"},
    ForeignLoss{"XGBoost", "reg:gamma", "gamma_mean"},
    ForeignLoss{"XGBoost", "reg:tweedie", "tweedie"},
    ForeignLoss{"XGBoost", "binary:logistic", "logistic"},
    ForeignLoss{"XGBoost", "binary:logitraw", "logistic"},
    ForeignLoss{"XGBoost", "multi:softmax", "softmax"},
    ForeignLoss{"XGBoost", "multi:softprob", "softmax"},
    ForeignLoss{"XGBoost", "count:poisson", "poisson"},
    ForeignLoss{"XGBoost", "survival:aft", "lognormal_aft"},

    ForeignLoss{"LightGBM", "regression", "squared"},
    ForeignLoss{"LightGBM", "regression_l2", "squared"},
    ForeignLoss{"LightGBM", "mean_squared_error", "squared"},
    ForeignLoss{"LightGBM", "root_mean_squared_error", "squared"},
    ForeignLoss{"LightGBM", "l2_root", "squared"},
    ForeignLoss{"LightGBM", "regression_l1", "absolute"},
    ForeignLoss{"LightGBM", "mean_absolute_error", "absolute"},
    ForeignLoss{"LightGBM", "binary_logloss", "logistic"},
    ForeignLoss{"LightGBM", "multiclassova", "softmax"},
    ForeignLoss{"LightGBM", "multi_logloss", "softmax"},

    ForeignLoss{"CatBoost", "RMSE", "squared"},
    ForeignLoss{"CatBoost", "MAE", "absolute"},
    ForeignLoss{"CatBoost", "Logloss", "logistic"},
    ForeignLoss{"CatBoost", "CrossEntropy", "logistic"},
    ForeignLoss{"CatBoost", "MultiClass", "softmax"},
    ForeignLoss{"CatBoost", "MultiClassOneVsAll", "softmax"},
    ForeignLoss{"CatBoost", "Quantile", "quantile"},
    ForeignLoss{"CatBoost", "MultiQuantile", "multi_quantile"},
    ForeignLoss{"CatBoost", "Expectile", "expectile"},
    ForeignLoss{"CatBoost", "Huber", "huber"},
    ForeignLoss{"CatBoost", "LogCosh", "log_cosh"},
    ForeignLoss{"CatBoost", "Poisson", "poisson"},
    ForeignLoss{"CatBoost", "Tweedie", "tweedie"},
    ForeignLoss{"CatBoost", "RMSEWithUncertainty", "normal"},
    ForeignLoss{"CatBoost", "SurvivalAft", "lognormal_aft"},

    ForeignLoss{"PyTorch", "MSELoss", "squared"},
    ForeignLoss{"PyTorch", "mse_loss", "squared"},
    ForeignLoss{"PyTorch", "L1Loss", "absolute"},
    ForeignLoss{"PyTorch", "l1_loss", "absolute"},
    ForeignLoss{"PyTorch", "HuberLoss", "huber"},
    ForeignLoss{"PyTorch", "huber_loss", "huber"},
    ForeignLoss{"PyTorch", "SmoothL1Loss", "huber"},
    ForeignLoss{"PyTorch", "smooth_l1_loss", "huber"},
    ForeignLoss{"PyTorch", "BCELoss", "logistic"},
    ForeignLoss{"PyTorch", "BCEWithLogitsLoss", "logistic"},
    ForeignLoss{"PyTorch", "binary_cross_entropy", "logistic"},
    ForeignLoss{"PyTorch", "binary_cross_entropy_with_logits", "logistic"},
    ForeignLoss{"PyTorch", "CrossEntropyLoss", "softmax"},
    ForeignLoss{"PyTorch", "NLLLoss", "softmax"},
    ForeignLoss{"PyTorch", "nll_loss", "softmax"},
    ForeignLoss{"PyTorch", "PoissonNLLLoss", "poisson"},
    ForeignLoss{"PyTorch", "poisson_nll_loss", "poisson"},
    ForeignLoss{"PyTorch", "GaussianNLLLoss", "normal"},
    ForeignLoss{"PyTorch", "gaussian_nll_loss", "normal"},
    ForeignLoss{"Keras", "sparse_categorical_crossentropy", "softmax"},
    ForeignLoss{"R", "binomial", "logistic"},
    ForeignLoss{"R", "quasipoisson", "poisson"},
};

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::span<const ForeignLoss> foreign_losses() {
  return kForeignLosses;
}

const ForeignLoss* find_foreign_loss(std::string_view spec) {
  const std::string_view head = spec.substr(0, spec.find(':'));
  for (const ForeignLoss& each : kForeignLosses) {
    const bool with_settings = each.library == "CatBoost" && equal_but_for_case(each.name, head);
    if (with_settings || equal_but_for_case(each.name, spec)) return &each;
  }
  return nullptr;
}

bool is_python(std::string_view spec) {
  const std::string_view line = spec.substr(0, spec.find('\n'));
  const bool has_body = line.find(':') != std::string_view::npos;
  return has_body &&
         (line.starts_with("lambda ") || line.starts_with("lambda:") || line.starts_with("def "));
}

}  // namespace softwood::loss
