// Atomics on every type: the old value, and nothing lost when threads meet.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "tests/unit/codegen/task_builder.h"

namespace qd::codegen {
namespace {

using ir::AtomicOp;
using ir::InstId;
using ir::Op;
using testing::TaskBuilder;
using testing::type_of;

template <class T>
using Memory = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

template <class T>
T expected_of(AtomicOp op, T old, T operand) {
  constexpr bool kBool = std::is_same_v<T, bool>;
  switch (op) {
    case AtomicOp::Add: return kBool ? old != operand : T(old + operand);
    case AtomicOp::Sub: return kBool ? old != operand : T(old - operand);
    case AtomicOp::Mul: return T(old * operand);
    case AtomicOp::Min: return old < operand ? old : operand;
    case AtomicOp::Max: return old < operand ? operand : old;
    case AtomicOp::Exchange: return operand;
    case AtomicOp::And:
    case AtomicOp::Or:
    case AtomicOp::Xor: break;
  }
  if constexpr (std::is_integral_v<T>) {
    return op == AtomicOp::And ? T(old & operand) : op == AtomicOp::Or ? T(old | operand) : T(old ^ operand);
  }
  throw std::logic_error("bits of floats");
}

template <class T>
class Atomics : public ::testing::Test {};
using Types =
    ::testing::Types<bool, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, float, double>;
TYPED_TEST_SUITE(Atomics, Types);

/// Atomics in memory that other threads may see, and on a local variable.
TYPED_TEST(Atomics, GiveTheOldValue) {
  using T = TypeParam;
  std::vector<AtomicOp> ops{AtomicOp::Add, AtomicOp::Sub, AtomicOp::Mul,
                            AtomicOp::Min, AtomicOp::Max, AtomicOp::Exchange};
  if (std::is_integral_v<T>) ops.insert(ops.end(), {AtomicOp::And, AtomicOp::Or, AtomicOp::Xor});
  const T first = T(5), operand = T(std::is_same_v<T, bool> ? 1 : 3);
  const auto n = static_cast<int32_t>(ops.size());
  std::vector<Memory<T>> data(n, first), old(n), local(n), local_old(n), operands{operand};
  TaskBuilder b({});
  uint32_t x = b.add_array(type_of<T>(), {data.data(), {n}}, 1), y = b.add_array(type_of<T>(), {old.data(), {n}}, 1);
  uint32_t z = b.add_array(type_of<T>(), {local.data(), {n}}, 1),
           w = b.add_array(type_of<T>(), {local_old.data(), {n}}, 1);
  uint32_t v = b.add_array(type_of<T>(), {operands.data(), {1}}, 1);
  for (int32_t i = 0; i < n; ++i) {
    InstId index = b.constant(i);
    InstId amount = b.load(b.element(v, {b.constant(0)}));
    InstId variable = b.inst(Op::Alloca, type_of<T>(), 0, {});
    b.store(variable, b.load(b.element(x, {index})));
    b.store(b.element(y, {index}),
            b.inst(Op::AtomicRmw, type_of<T>(), static_cast<uint32_t>(ops[i]), {b.element(x, {index}), amount}));
    b.store(b.element(w, {index}),
            b.inst(Op::AtomicRmw, type_of<T>(), static_cast<uint32_t>(ops[i]), {variable, amount}));
    b.store(b.element(z, {index}), b.load(variable));
  }
  b.run(0, 1);
  for (int32_t i = 0; i < n; ++i) {
    T expected = expected_of<T>(ops[i], first, operand);
    EXPECT_EQ(static_cast<T>(data[i]), expected) << "AtomicOp " << i;
    EXPECT_EQ(static_cast<T>(local[i]), expected) << "AtomicOp " << i;
    EXPECT_EQ(static_cast<T>(old[i]), first);
    EXPECT_EQ(static_cast<T>(local_old[i]), first);
  }
}

template <class T>
void check_compare_and_swap() {
  std::vector<Memory<T>> data{T(1), T(0)}, values{T(1), T(0)}, old(2);
  TaskBuilder b({0, 2});
  uint32_t x = b.add_array(type_of<T>(), {data.data(), {2}}, 1), y = b.add_array(type_of<T>(), {values.data(), {2}}, 1);
  uint32_t z = b.add_array(type_of<T>(), {old.data(), {2}}, 1);
  InstId i = b.index();
  InstId one = b.load(b.element(y, {b.constant(0)})), zero = b.load(b.element(y, {b.constant(1)}));
  b.store(b.element(z, {i}), b.inst(Op::AtomicCas, type_of<T>(), 0, {b.element(x, {i}), one, zero}));
  b.run(0, 2);
  EXPECT_EQ(data, (std::vector<Memory<T>>{T(0), T(0)}));
  EXPECT_EQ(old, (std::vector<Memory<T>>{T(1), T(0)}));
}

TYPED_TEST(Atomics, CompareAndSwap) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T>) check_compare_and_swap<T>();
}

/// Both threads run the same task over the same memory.
TYPED_TEST(Atomics, LoseNothing) {
  using T = TypeParam;
  const int32_t n = 40'000, cells = 5;
  std::vector<Memory<T>> sums(cells), products(1, T(1));
  std::vector<Memory<T>> one{T(1)};
  TaskBuilder b({0, n});
  uint32_t x = b.add_array(type_of<T>(), {sums.data(), {cells}}, 1),
           y = b.add_array(type_of<T>(), {one.data(), {1}}, 1);
  uint32_t z = b.add_array(type_of<T>(), {products.data(), {1}}, 1);
  InstId amount = b.load(b.element(y, {b.constant(0)}));
  InstId cell = b.binary(ir::BinaryOp::Mod, b.index(), b.constant(cells));
  b.inst(Op::AtomicRmw, type_of<T>(), static_cast<uint32_t>(AtomicOp::Add), {b.element(x, {cell}), amount});
  b.inst(Op::AtomicRmw, type_of<T>(), static_cast<uint32_t>(AtomicOp::Mul), {b.element(z, {b.constant(0)}), amount});
  b.run(0, 0);
  auto half = [&](int64_t begin, int64_t end) { b.run(begin, end); };
  std::thread other(half, 0, n / 2);
  half(n / 2, n);
  other.join();
  // Small types wrap: 8000 additions of 1.
  T expected = std::is_same_v<T, bool>
                   ? T(0)
                   : static_cast<T>(static_cast<std::conditional_t<std::is_integral_v<T>, int64_t, T>>(n / cells));
  for (int32_t i = 0; i < cells; ++i) EXPECT_EQ(static_cast<T>(sums[i]), expected) << i;
  EXPECT_EQ(static_cast<T>(products[0]), T(1));
}

/// Reductions into one element are gathered in registers: same result, from two parts, for any memory before.
TYPED_TEST(Atomics, Reductions) {
  using T = TypeParam;
  if constexpr (!std::is_same_v<T, bool>) {
    std::vector<AtomicOp> ops{AtomicOp::Add, AtomicOp::Sub, AtomicOp::Min, AtomicOp::Max};
    if (std::is_integral_v<T>) ops.insert(ops.end(), {AtomicOp::And, AtomicOp::Or, AtomicOp::Xor});
    const int32_t n = 103;
    for (AtomicOp op : ops) {
      for (T first : {T(0), T(5), T(100)}) {
        std::vector<T> data(n), sum{T(0), first};
        for (int32_t i = 0; i < n; ++i) data[i] = static_cast<T>((i * 7) % 61 - (std::is_signed_v<T> ? 30 : 0));
        TaskBuilder b({0, n});
        uint32_t x = b.array(data, {n});
        b.kernel.arrays[x].kind = ir::Array::Kind::Field;
        b.kernel.arrays[x].shape = {n};
        uint32_t y = b.array(sum, {2});
        b.inst(Op::AtomicRmw, type_of<T>(), static_cast<uint32_t>(op),
               {b.element(y, {b.constant(1)}), b.load(b.element(x, {b.index()}))});
        b.run(0, 50);
        b.run(50, n);
        b.run(n, n);
        T expected = first;
        for (T value : data) expected = expected_of<T>(op, expected, value);
        EXPECT_EQ(sum[1], expected) << "AtomicOp " << static_cast<int>(op);
        EXPECT_EQ(sum[0], T(0));
      }
    }
  }
}

TEST(Reductions, AnUntouchedNanStays) {
  std::vector<float> sum{std::numeric_limits<float>::quiet_NaN()};
  TaskBuilder b({0, 10});
  uint32_t y = b.array(sum, {1});
  InstId never = b.compare(ir::CompareOp::Lt, b.index(), b.constant(0));
  b.nested(Op::If, {never}, [&] {
    InstId one = b.cast(ir::Type::F32, b.constant(1));
    b.inst(Op::AtomicRmw, ir::Type::F32, static_cast<uint32_t>(AtomicOp::Min), {b.element(y, {b.constant(0)}), one});
  });
  b.run(0, 10);
  EXPECT_TRUE(std::isnan(sum[0]));
}

/// Reads, other elements and other operations need the real place.
TEST(Reductions, AreNotMadeOfPlacesThatAreReadToo) {
  std::vector<int32_t> sum{0, 0}, seen(10);
  TaskBuilder b({0, 10});
  uint32_t y = b.array(sum, {2}), z = b.array(seen, {10});
  InstId i = b.index(), one = b.constant(1);
  InstId place = b.element(y, {b.constant(0)});
  b.inst(Op::AtomicRmw, ir::Type::I32, static_cast<uint32_t>(AtomicOp::Add), {place, one});
  b.store(b.element(z, {i}), b.load(place));
  b.inst(Op::AtomicRmw, ir::Type::I32, static_cast<uint32_t>(AtomicOp::Add), {b.element(y, {one}), i});
  b.run(0, 10);
  EXPECT_EQ(sum, (std::vector<int32_t>{10, 45}));
  for (int k = 0; k < 10; ++k) EXPECT_EQ(seen[k], k + 1);
}

}  // namespace
}  // namespace qd::codegen
