#pragma once

#include <boost/math/policies/policy.hpp>

namespace softwood::loss {

namespace quiet {
using namespace boost::math::policies;
using Policy =
    policy<promote_double<false>, promote_float<false>, domain_error<ignore_error>,
           pole_error<ignore_error>, overflow_error<ignore_error>, underflow_error<ignore_error>,
           denorm_error<ignore_error>, evaluation_error<ignore_error>, rounding_error<ignore_error>,
           indeterminate_result_error<ignore_error>>;
}  // namespace quiet

/// For Boost.Math: no exceptions, no errno, no slow long double.
constexpr quiet::Policy kQuiet{};

}  // namespace softwood::loss
