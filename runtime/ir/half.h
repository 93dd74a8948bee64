// f16 (IEEE 754 binary16), which the host holds as the bits of a 16-bit integer.
#pragma once

#include <cstdint>

namespace qd::ir {

/// The nearest f16, ties to even, rounded once from the double. Numbers that are too large become infinite.
uint16_t half_from_double(double value);
/// The value of an f16. Always exact.
double double_from_half(uint16_t bits);

}  // namespace qd::ir
