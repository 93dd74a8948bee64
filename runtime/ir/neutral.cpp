#include "runtime/ir/neutral.h"

#include <bit>
#include <limits>

#include "runtime/ir/half.h"

namespace qd::ir {

std::optional<uint64_t> neutral(AtomicOp op, Type type) {
  const int width = bit_width(type);
  const uint64_t ones = is_signed(type) || width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const uint64_t lowest = is_signed(type) ? ~uint64_t{0} << (width - 1) : 0;
  const uint64_t highest = is_signed(type) ? ~lowest : ones;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  auto real = [&](double value) {
    if (type == Type::F16) return uint64_t{half_from_double(value)};
    return type == Type::F32 ? uint64_t{std::bit_cast<uint32_t>(static_cast<float>(value))}
                             : std::bit_cast<uint64_t>(value);
  };
  switch (op) {
    case AtomicOp::Add:
    case AtomicOp::Sub: return is_float(type) ? real(-0.0) : 0;
    case AtomicOp::Mul: return is_float(type) ? real(1) : 1;
    case AtomicOp::Min: return is_float(type) ? real(kInfinity) : highest;
    case AtomicOp::Max: return is_float(type) ? real(-kInfinity) : lowest;
    case AtomicOp::And: return ones;
    case AtomicOp::Or:
    case AtomicOp::Xor: return 0;
    case AtomicOp::Exchange: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace qd::ir
