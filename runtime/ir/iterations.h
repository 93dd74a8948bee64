// Number of iterations of a loop: the arithmetic of its bounds, in which nothing wraps.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Whether a loop can count in this type.
constexpr bool can_count(Type type) {
  return type == Type::I32 || type == Type::U32 || type == Type::I64 || type == Type::U64;
}

/// Whether a cast between these types changes no number.
constexpr bool keeps_values(Type from, Type to) {
  if (from == to) return true;
  return is_integer(from) && is_integer(to) && from != Type::U1 && to != Type::U1 && bit_width(from) < bit_width(to) &&
         (is_signed(to) || is_unsigned(from));
}

/// Largest number of iterations of a parallel task; a launch of one with more is an error.
constexpr int64_t kMostIterations = int64_t{1} << 62;
/// Result of iterations() for more than kMostIterations.
constexpr int64_t kTooManyIterations = std::numeric_limits<int64_t>::max();

/// The number of a bound in 64 bits, from the word of a parameter or a temp.
constexpr int64_t bound_in_word(const Bound& bound, uint64_t word) {
  switch (bound.type) {
    case Type::I32: return static_cast<int32_t>(word);
    case Type::U32: return static_cast<uint32_t>(word);
    default: return static_cast<int64_t>(word);
  }
}

/// Number of indices in [begin, end), bounds in 64 bits. `counts`: the type that the loop counts in.
constexpr uint64_t extent(Type counts, int64_t begin, int64_t end) {
  const auto from = static_cast<uint64_t>(begin), to = static_cast<uint64_t>(end);
  return (counts == Type::U64 ? from >= to : begin >= end) ? 0 : to - from;
}

/// Number of iterations between the bounds of some axes; kTooManyIterations for more than kMostIterations.
/// `value`: gives the number of a bound in 64 bits.
template <class Value>
int64_t iterations(std::span<const Bound> bounds, Value&& value) {
  uint64_t product = 1;
  bool too_many = false;
  for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
    const uint64_t indices = extent(bounds[i].type, value(bounds[i]), value(bounds[i + 1]));
    if (indices == 0) return 0;
    too_many |= __builtin_mul_overflow(product, indices, &product) || product > uint64_t{kMostIterations};
  }
  return too_many ? kTooManyIterations : static_cast<int64_t>(product);
}

/// Throws std::overflow_error for kTooManyIterations.
void require_countable(int64_t iterations);

}  // namespace qd::ir
