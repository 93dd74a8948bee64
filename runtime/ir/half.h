// f16, IEEE 754's binary16, as the host holds it: in the bits of a 16-bit integer.
#pragma once

#include <cstdint>

namespace qd::ir {

/// The nearest f16, ties to even; rounded once, straight from the double. Too large numbers become infinite.
uint16_t half_from_double(double value);
/// Exact.
double double_from_half(uint16_t bits);

}  // namespace qd::ir
