// An atomic operation takes some 20 cycles, and most parts change a small piece of their array. So numbers are looked
// at in groups, and two numbers of 32 bits are changed by one operation.
#include "runtime/device/cpu/combine_arrays.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "runtime/ir/neutral.h"

namespace qd::device {
namespace {

using ir::AtomicOp;
using ir::Type;

constexpr uint64_t kGroup = 32;  // bytes

template <AtomicOp op, typename T>
T combined(T a, T b) {
  if constexpr (op == AtomicOp::Add && std::is_integral_v<T>)  // sums wrap around
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  if constexpr (op == AtomicOp::Add) return a + b;
  if constexpr (op == AtomicOp::Min || op == AtomicOp::Max) {
    if constexpr (std::is_floating_point_v<T>) return op == AtomicOp::Min ? std::fmin(a, b) : std::fmax(a, b);
    return op == AtomicOp::Min ? std::min(a, b) : std::max(a, b);
  }
  if constexpr (std::is_integral_v<T>) {
    if constexpr (op == AtomicOp::And) return a & b;
    if constexpr (op == AtomicOp::Or) return a | b;
    if constexpr (op == AtomicOp::Xor) return a ^ b;
  }
}

template <typename T>
using Bits = std::conditional_t<sizeof(T) == sizeof(uint32_t), uint32_t, uint64_t>;

/// Changes one number, or two of 32 bits that a word of 64 holds.
template <AtomicOp op, typename T, typename Word>
void change(std::byte* shared, const std::byte* own, Bits<T> neutral) {
  constexpr size_t kNumbers = sizeof(Word) / sizeof(T);
  using Numbers = std::array<T, kNumbers>;
  Numbers added;
  std::memcpy(&added, own, sizeof added);
  std::array<bool, kNumbers> adds;
  for (size_t i = 0; i < kNumbers; ++i) adds[i] = std::bit_cast<Bits<T>>(added[i]) != neutral;
  const std::atomic_ref<Word> place(*reinterpret_cast<Word*>(shared));
  Word seen = place.load(std::memory_order_relaxed), wanted;
  do {
    Numbers numbers = std::bit_cast<Numbers>(seen);
    for (size_t i = 0; i < kNumbers; ++i) {
      if (adds[i]) numbers[i] = combined<op>(numbers[i], added[i]);
    }
    wanted = std::bit_cast<Word>(numbers);
  } while (!place.compare_exchange_weak(seen, wanted, std::memory_order_relaxed));
}

template <AtomicOp op, typename T, typename Word>
void change_all(std::byte* shared, const std::byte* own, uint64_t bytes, Bits<T> neutral) {
  std::array<Bits<T>, kGroup / sizeof(T)> nothing;
  nothing.fill(neutral);
  uint64_t at = 0;
  auto words_until = [&](uint64_t end) {
    for (; at + sizeof(Word) <= end; at += sizeof(Word)) {
      if (std::memcmp(own + at, nothing.data(), sizeof(Word)) != 0) change<op, T, Word>(shared + at, own + at, neutral);
    }
  };
  while (at + kGroup <= bytes) {
    const uint64_t end = at + kGroup;
    if (std::memcmp(own + at, nothing.data(), kGroup) != 0) words_until(end);
    at = end;
  }
  words_until(bytes);
  // A number of 32 bits may be left.
  if (at < bytes) change<op, T, Bits<T>>(shared + at, own + at, neutral);
}

template <AtomicOp op, typename T>
void combine(void* shared, const void* own, uint64_t numbers, Type type) {
  const auto neutral = static_cast<Bits<T>>(*ir::neutral(op, type));
  auto* to = static_cast<std::byte*>(shared);
  auto* from = static_cast<const std::byte*>(own);
  if constexpr (sizeof(T) == sizeof(uint32_t)) {
    if (reinterpret_cast<uintptr_t>(shared) % sizeof(uint64_t) != 0)
      return change_all<op, T, uint32_t>(to, from, numbers * sizeof(T), neutral);
  }
  change_all<op, T, uint64_t>(to, from, numbers * sizeof(T), neutral);
}

template <AtomicOp op>
void combine(void* shared, const void* own, uint64_t numbers, Type type) {
  constexpr bool kOfFloats = op == AtomicOp::Add || op == AtomicOp::Min || op == AtomicOp::Max;
  if constexpr (kOfFloats) {
    if (type == Type::F32) return combine<op, float>(shared, own, numbers, type);
    if (type == Type::F64) return combine<op, double>(shared, own, numbers, type);
  }
  switch (type) {
    case Type::I32: return combine<op, int32_t>(shared, own, numbers, type);
    case Type::U32: return combine<op, uint32_t>(shared, own, numbers, type);
    case Type::I64: return combine<op, int64_t>(shared, own, numbers, type);
    case Type::U64: return combine<op, uint64_t>(shared, own, numbers, type);
    default: throw std::logic_error("no atomic operation on this type");
  }
}

}  // namespace

void combine_arrays(void* shared, const void* own, uint64_t numbers, uint32_t op, uint32_t type) {
  const auto of = static_cast<Type>(type);
  switch (static_cast<AtomicOp>(op)) {
    case AtomicOp::Add: return combine<AtomicOp::Add>(shared, own, numbers, of);
    case AtomicOp::Min: return combine<AtomicOp::Min>(shared, own, numbers, of);
    case AtomicOp::Max: return combine<AtomicOp::Max>(shared, own, numbers, of);
    case AtomicOp::And: return combine<AtomicOp::And>(shared, own, numbers, of);
    case AtomicOp::Or: return combine<AtomicOp::Or>(shared, own, numbers, of);
    case AtomicOp::Xor: return combine<AtomicOp::Xor>(shared, own, numbers, of);
    default: throw std::logic_error("no such combination of arrays");
  }
}

}  // namespace qd::device
