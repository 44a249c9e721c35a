#pragma once

// Written by tools/fit_series.py.

#include <array>

namespace softwood::loss {

/// Where the gamma functions' asymptotic forms, and the series in 1/z² below, begin.
inline constexpr double kStirlingFrom = 2.5;
/// ψ is 0 at the sum of these two.
inline constexpr double kDigammaRoot = 0x1.762d86356be3fp+0;
inline constexpr double kDigammaRootLow = 0x1.b86a722197829p-54;

/// log Γ(2 + t) / t on |t| ≤ ½; relative error 2.0e-17.
inline constexpr std::array<double, 18> kLgammaNearTwo = {
    0x1.b0ee6072093cep-2,   0x1.4a34cc4a60fa6p-2,  -0x1.13e001a557555p-4,  0x1.51322ac7d8333p-6,
    -0x1.e404fc21d8fe7p-8,  0x1.7add6eadfcc7bp-9,  -0x1.38ac5bfce42c1p-10, 0x1.0b36af5972ed1p-11,
    -0x1.d3fd6a9087d23p-13, 0x1.a127cd91ac95bp-14, -0x1.78d8f868f383fp-15, 0x1.5808af19fa483p-16,
    -0x1.3d4ce65b1d70bp-17, 0x1.2620de1c78d97p-18, -0x1.08fccc794a9c7p-19, 0x1.f038cb2f6a913p-21,
    -0x1.37fd97eeee99dp-21, 0x1.2703c6effc4ebp-22,
};

/// ψ(1.5 + t) / (1.5 + t − kDigammaRoot) on |t| ≤ ½; relative error 1.6e-17.
inline constexpr std::array<double, 22> kDigammaNearRoot = {
    0x1.e6f0cbb873617p-1,  -0x1.b1cb63005ee97p-2,  0x1.eca189b8e6da1p-3,  -0x1.2feeeb98a7cd8p-3,
    0x1.8512e5905d180p-4,  -0x1.fb442029cdbf4p-5,  0x1.4de9aa05d3418p-5,  -0x1.b9f8b1367959dp-6,
    0x1.256475e5ac975p-6,  -0x1.86355f6f68797p-7,  0x1.03c00801ba958p-7,  -0x1.5a071c746535bp-8,
    0x1.cd3e42d157015p-9,  -0x1.33661f9073563p-9,  0x1.980fc9c9f0be8p-10, -0x1.1002aaf6255f5p-10,
    0x1.7b3b41b0b38cdp-11, -0x1.f99f529bd0771p-12, 0x1.dc8ae08af0fc4p-13, -0x1.3db05b36d9a48p-13,
    0x1.104c9d0897b58p-12, -0x1.6b107f71aa124p-13,
};

/// (z·(log Γ(z) − Stirling's main terms) − 1/12) z² in 1/z²; relative error 2.7e-15.
inline constexpr std::array<double, 15> kStirlingRest = {
    -0x1.6c16c16c16c05p-9,  0x1.a01a019fe8a61p-11, -0x1.381380dc3b6b1p-11, 0x1.b9519e0de7ddfp-11,
    -0x1.f69d5813119fap-10, 0x1.a341a523c00fbp-8,  -0x1.db1e17af6e3b8p-6,  0x1.4d0e3672ae172p-3,
    -0x1.fb96ed2519ab0p-1,  0x1.6e8984bcc9f3fp+2,  -0x1.bf9e92a2e6477p+4,  0x1.a5f911b856f3ep+6,
    -0x1.18934215489f4p+8,  0x1.ce69c1237aa7dp+8,  -0x1.60ac858d669cdp+8,
};

/// (ψ(z) − log z + 1/(2z) + 1/(12z²)) z⁴ in 1/z²; relative error 1.9e-14.
inline constexpr std::array<double, 15> kDigammaRest = {
    0x1.11111111110b3p-7,  -0x1.041041038e24fp-8,  0x1.1111101ea722ep-8,  -0x1.f07b696f5c0cbp-8,
    0x1.5983659774016p-6,  -0x1.543420807815dp-4,  0x1.b9ba62bb180d8p-2,  -0x1.57666d5bcf624p+1,
    0x1.18b6216674582p+4,  -0x1.a7a2bbeed20d9p+6,  0x1.09c16d07a2ce5p+9,  -0x1.fda32f229e1a3p+10,
    0x1.56a7668d569c8p+12, -0x1.1c84fb62ddbfcp+13, 0x1.b45b1289a9e46p+12,
};

/// (ψ′(z) − 1/z − 1/(2z²)) z³ in 1/z²; relative error 4.4e-16.
inline constexpr std::array<double, 16> kTrigammaRest = {
    0x1.5555555555553p-3,  -0x1.111111110868cp-5,  0x1.8618616175e04p-6,  -0x1.1111017e2d139p-5,
    0x1.364a085c4a234p-4,  -0x1.02f0527dc1ddcp-2,  0x1.279eb0c7448eep+0,  -0x1.ab08820ed981ep+2,
    0x1.5d85b73e9f55ep+5,  -0x1.1d25848206ac4p+8,  0x1.9e390eeaab966p+10, -0x1.eb325a1961382p+12,
    0x1.ba299a50a6c3dp+14, -0x1.16e82959e4931p+16, 0x1.b37b0226bdce8p+16, -0x1.3b07050fadea1p+16,
};

/// (atanh(s)/s − 1)/s² in s², |s| ≤ ⅓; relative error 1.3e-16.
inline constexpr std::array<double, 10> kAtanhRest = {
    0x1.5555555555555p-2, 0x1.999999999a3ddp-3, 0x1.24924923d44c6p-3, 0x1.c71c727143318p-4,
    0x1.745cf0b0e03bdp-4, 0x1.3b18b294bebf9p-4, 0x1.10ac75dc602b1p-4, 0x1.eb905e8575054p-5,
    0x1.687a6e7c95176p-5, 0x1.4b0a26c5f2aefp-4,
};

/// log(sinh(½x)/(½x))/x² in x², |x| ≤ 1; relative error 5.7e-17.
inline constexpr std::array<double, 7> kLogSinhc = {
    0x1.5555555555555p-5,  -0x1.6c16c16c15b32p-12, 0x1.71de3a5131f48p-18, -0x1.bbd772d7c2375p-24,
    0x1.1eeb475403b82p-29, -0x1.827e33ef03d2ap-35, 0x1.f24d656f198e0p-41,
};

/// (1/(1 − e^−x) − 1/x − ½)/x in x², |x| ≤ 1; relative error 2.8e-18.
inline constexpr std::array<double, 8> kLogSinhcSlope = {
    0x1.5555555555555p-4,  -0x1.6c16c16c16b8bp-10, 0x1.1566abbffa5b7p-15, -0x1.bbd7790541f23p-21,
    0x1.66a8dc0f2b92fp-26, -0x1.227a48152de8ap-31, 0x1.d50aa18375147p-37, -0x1.5932a2341acf8p-42,
};

/// erf(x)/x in x², |x| ≤ 1; relative error 8.1e-18.
inline constexpr std::array<double, 12> kErfRatio = {
    0x1.20dd750429b6dp+0,  -0x1.812746b0379c1p-2,  0x1.ce2f21a040f66p-4,  -0x1.b82ce31203772p-6,
    0x1.565bccfa44156p-8,  -0x1.c02db0665e53dp-11, 0x1.f9a2be4f731a1p-14, -0x1.f4ca838adb73bp-17,
    0x1.b981d78881a5dp-20, -0x1.5c131500d3f88p-23, 0x1.d76af6ca49787p-27, -0x1.ac9585a44fe29p-31,
};

/// (t + 3)·(1 − Φ(t))/φ(t) in (t − 3)/(t + 3), t ≥ 0; relative error 2.0e-17.
inline constexpr std::array<double, 26> kMills = {
    0x1.d3d9c765d5248p+0,   -0x1.46d633712e4afp+0,  0x1.27340aa357d0fp-1,   -0x1.e541aca938c25p-4,
    -0x1.adb1fd9c65d89p-6,  0x1.1e5b142820018p-6,   0x1.519d3afbd5eb0p-9,   -0x1.579b108e63aa4p-9,
    -0x1.51309ed27fe6fp-11, 0x1.95cf1dd123f65p-12,  0x1.9e4bfb182b47fp-13,  -0x1.16884460cad75p-15,
    -0x1.b2f5b37b9ff19p-15, -0x1.27c5f497f31f5p-17, 0x1.314e9eadc02afp-17,  0x1.7b06d11ca94f3p-18,
    0x1.277c1aed3db72p-24,  -0x1.8a2e1381fd396p-20, -0x1.90db4690d6669p-21, 0x1.516a628ec61b3p-24,
    0x1.35d47e985b8e4p-22,  0x1.85a028ab244fcp-24,  -0x1.e9e15bf6f8326p-25, -0x1.2693b31ac8fdap-25,
    0x1.59c44319ea3f1p-28,  0x1.3671afcb352a5p-28,
};

}  // namespace softwood::loss
