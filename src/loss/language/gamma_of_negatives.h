#pragma once

namespace softwood::loss {

// The gamma functions of a negative number: infinities or NaN at the whole ones. They never throw
// or set errno.

double lgamma_of_negative(double x);
double digamma_of_negative(double x);
double trigamma_of_negative(double x);

}  // namespace softwood::loss
