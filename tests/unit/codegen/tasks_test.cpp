// Tasks: every part of every iteration space, control flow, exact counters, asserts and prints.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/codegen/task_builder.h"

namespace qd::codegen {
namespace {

using ir::BinaryOp;
using ir::CompareOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using testing::TaskBuilder;
using testing::type_of;

/// A task that adds 1 to each element it visits; all parts of the space must touch exactly their own elements.
void check_parts(std::vector<int32_t> bounds) {
  TaskBuilder b(bounds);
  std::vector<int32_t> shape;
  std::vector<InstId> indices;
  int64_t size = 1, iterations = 1;
  for (size_t axis = 0; axis < bounds.size() / 2; ++axis) {
    shape.push_back(bounds[2 * axis + 1] + 1);
    size *= shape.back();
    iterations *= bounds[2 * axis + 1] - bounds[2 * axis];
    indices.push_back(b.index(axis));
  }
  std::vector<int32_t> data(size);
  uint32_t array = b.array(data, shape);
  InstId place = b.element(array, indices);
  b.store(place, b.binary(BinaryOp::Add, b.load(place), b.constant(1)));
  std::vector<int64_t> order;  // the element of each iteration
  for (int64_t i = 0; i < size; ++i) {
    int64_t rest = i;
    bool inside = true;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) {
      int64_t index = rest % shape[axis];
      inside = inside && index >= bounds[2 * axis] && index < bounds[2 * axis + 1];
    }
    if (inside) order.push_back(i);
  }
  ASSERT_EQ(static_cast<int64_t>(order.size()), iterations);
  for (int64_t begin = 0; begin <= iterations; ++begin) {
    for (int64_t end : {begin, begin + 1, begin + 2, begin + 5, iterations - 1, iterations}) {
      if (end < begin || end > iterations) continue;
      std::fill(data.begin(), data.end(), 0);
      b.run(begin, end);
      std::vector<int32_t> expected(size);
      for (int64_t i = begin; i < end; ++i) ++expected[order[i]];
      ASSERT_EQ(data, expected) << begin << ".." << end;
    }
  }
}

TEST(Parts, OneAxis) { check_parts({3, 80}); }
TEST(Parts, TwoAxes) { check_parts({0, 7, 2, 9}); }
TEST(Parts, TwoAxesWithShortRows) { check_parts({1, 30, 0, 1}); }
TEST(Parts, ThreeAxes) { check_parts({1, 4, 0, 5, 2, 6}); }
TEST(Parts, FourAxes) { check_parts({0, 2, 1, 3, 0, 3, 1, 4}); }

TEST(Parts, AnEmptyAxisIsNotDividedBy) {
  std::vector<int32_t> data(10);
  TaskBuilder b({0, 5, 3, 3});
  b.counters.resize(1);
  b.count(0, b.truth(true));
  b.store(b.element(b.array(data, {10}), {b.index()}), b.constant(1));
  EXPECT_TRUE(b.run(0, 0));
  EXPECT_EQ(data, std::vector<int32_t>(10));
  EXPECT_EQ(b.counters[0], 0u);
}

TEST(Parts, NegativeBegin) {
  std::vector<int32_t> data(10);
  TaskBuilder b({-5, 5});
  uint32_t array = b.array(data, {10});
  InstId i = b.index();
  b.store(b.element(array, {b.binary(BinaryOp::Add, i, b.constant(5))}), i);
  b.run(0, 10);
  for (int k = 0; k < 10; ++k) EXPECT_EQ(data[k], k - 5);
}

/// An index variable that is stored once keeps the value it had when it was declared, in each iteration anew.
TEST(Indices, ThroughVariables) {
  std::vector<int32_t> data(40), out(40);
  for (int i = 0; i < 40; ++i) data[i] = i * i;
  TaskBuilder b({1, 39});
  uint32_t x = b.array(data, {40}), y = b.array(out, {40});
  InstId i = b.index();
  InstId variable = b.inst(Op::Alloca, Type::I32, 0, {});
  b.store(variable, b.binary(BinaryOp::Sub, i, b.constant(1)));
  InstId left = b.load(variable);
  InstId moving = b.inst(Op::Alloca, Type::I32, 0, {});
  b.store(moving, left);
  b.store(moving, b.binary(BinaryOp::Add, b.load(moving), b.constant(2)));
  b.store(b.element(y, {i}),
          b.binary(BinaryOp::Sub, b.load(b.element(x, {b.load(moving)})), b.load(b.element(x, {left}))));
  b.run(0, 38);
  for (int k = 1; k < 39; ++k) EXPECT_EQ(out[k], 4 * k);
}

TEST(Indices, LocalsOfAnIterationStartAnew) {
  std::vector<int32_t> out(20);
  TaskBuilder b({0, 20});
  uint32_t y = b.array(out, {20});
  InstId i = b.index();
  InstId variable = b.inst(Op::Alloca, Type::I32, 0, {});
  b.nested(Op::If, {b.compare(CompareOp::Lt, i, b.constant(5))}, [&] { b.store(variable, b.constant(7)); });
  b.store(b.element(y, {i}), b.load(variable));
  b.run(0, 20);
  for (int k = 0; k < 20; ++k) EXPECT_EQ(out[k], k < 5 ? 7 : 0);
}

/// for j in range(3): for k in range(2, 6): ... with break at j == 1 and k == 4, continue at k == 3
TEST(Control, BreakLeavesAllAxesContinueTheInnermost) {
  std::vector<int32_t> log(100);
  std::vector<int32_t> used(1);
  TaskBuilder b({});
  uint32_t y = b.array(log, {100}), n = b.array(used, {1});
  b.counters.resize(3);
  b.nested(Op::For, {b.constant(0), b.constant(3), b.constant(2), b.constant(6)}, [&](InstId loop) {
    b.count(0, b.truth(true));
    InstId j = b.index_of(loop, 0), k = b.index_of(loop, 1);
    InstId stop = b.binary(BinaryOp::BitAnd, b.compare(CompareOp::Eq, j, b.constant(1)),
                           b.compare(CompareOp::Eq, k, b.constant(4)));
    b.nested(Op::If, {stop}, [&] { b.inst(Op::Break, Type::Void, 0, {}); });
    b.nested(Op::If, {b.compare(CompareOp::Eq, k, b.constant(3))}, [&] {
      b.count(1, b.truth(true));
      b.inst(Op::Continue, Type::Void, 0, {});
    });
    InstId place = b.element(n, {b.constant(0)});
    InstId at = b.load(place);
    b.store(b.element(y, {at}), b.binary(BinaryOp::Add, b.binary(BinaryOp::Mul, j, b.constant(10)), k));
    b.store(place, b.binary(BinaryOp::Add, at, b.constant(1)));
  });
  b.count(2, b.truth(true));
  b.run(0, 1);
  EXPECT_EQ(used[0], 4);
  EXPECT_EQ(std::vector<int32_t>(log.begin(), log.begin() + 4), (std::vector<int32_t>{2, 4, 5, 12}));
  EXPECT_EQ(b.counters, (std::vector<uint64_t>{7, 2, 1}));
}

TEST(Counters, ManyWithGaps) {
  const int n = 1000;
  std::vector<int32_t> out(n);
  TaskBuilder b({0, n});
  uint32_t y = b.array(out, {n});
  b.counters.resize(100);
  std::vector<uint64_t> expected(100);
  for (uint32_t counter = 7; counter < 95; counter += counter % 3 + 1) {
    b.count(counter, b.compare(CompareOp::Lt, b.index(), b.constant(static_cast<int32_t>(counter * 9))));
    expected[counter] = counter * 9;
  }
  b.store(b.element(y, {b.index()}), b.index());
  b.run(0, 600);
  b.run(600, n);
  EXPECT_EQ(b.counters, expected);
}

/// More and fewer conditions than there are registers for their counts, in rows and parts of all lengths; each fourth
/// one has the counter of the one before it.
template <class T>
void count_many(int conditions, std::vector<int32_t> bounds) {
  int n = 1;
  for (size_t axis = 0; axis < bounds.size(); axis += 2) n *= bounds[axis + 1];
  std::vector<T> data(n), out(n);
  std::mt19937 random(5);
  for (T& value : data) value = static_cast<T>(std::uniform_int_distribution<int>(0, 100)(random));
  TaskBuilder b(bounds);
  const std::vector<int32_t> shape = bounds.size() == 2 ? std::vector{n} : std::vector{bounds[1], bounds[3]};
  const std::vector<InstId> indices = bounds.size() == 2 ? std::vector{b.index()} : std::vector{b.index(0), b.index(1)};
  const uint32_t x = b.array(data, shape), y = b.array(out, shape);
  b.counters.resize(conditions);
  const auto limit_of = [&](int condition) { return 100 * condition / conditions; };
  const auto counter_of = [](int condition) { return condition - (condition % 4 == 3); };
  const InstId sum = b.inst(Op::Alloca, type_of<T>(), 0, {});
  const InstId value = b.load(b.element(x, indices));
  b.store(sum, value);
  for (int condition = 0; condition < conditions; ++condition) {
    const InstId above = b.compare(CompareOp::Gt, value, b.cast(type_of<T>(), b.constant(limit_of(condition))));
    b.count(counter_of(condition), above);
    b.nested(Op::If, {above},
             [&] { b.store(sum, b.binary(BinaryOp::Sub, value, b.binary(BinaryOp::Mul, b.load(sum), value))); });
  }
  b.store(b.element(y, indices), b.load(sum));
  std::vector<uint64_t> expected(conditions);
  for (int begin = 0, length = 0; begin < n; begin += length++) {
    b.run(begin, std::min(begin + length, n), true);
    for (int i = begin; i < std::min(begin + length, n); ++i)
      for (int condition = 0; condition < conditions; ++condition)
        expected[counter_of(condition)] += data[i] > static_cast<T>(limit_of(condition));
    ASSERT_EQ(b.counters, expected) << conditions << " conditions, " << begin << " to " << begin + length;
  }
}

TEST(Counters, ManyInVectorLoop) {
  for (int conditions : {4, 10, 40}) {
    count_many<float>(conditions, {0, 2'000});
    count_many<double>(conditions, {0, 2'000});
    count_many<int8_t>(conditions, {0, 2'000});
    count_many<float>(conditions, {0, 30, 0, 67});
  }
}

/// Collatz lengths: a While inside a parallel loop, counted on both levels.
TEST(Counters, WhileInParallel) {
  const int n = 500;
  std::vector<int32_t> out(n);
  TaskBuilder b({1, n});
  uint32_t y = b.array(out, {n});
  b.counters.resize(3);
  InstId i = b.index();
  InstId x = b.inst(Op::Alloca, Type::I32, 0, {}), steps = b.inst(Op::Alloca, Type::I32, 0, {});
  b.store(x, i);
  b.store(steps, b.constant(0));
  b.nested(Op::Loop, {}, [&] {
    InstId done = b.compare(CompareOp::Eq, b.load(x), b.constant(1));
    b.nested(Op::If, {done}, [&] { b.inst(Op::Break, Type::Void, 0, {}); });
    b.count(0, b.truth(true));
    InstId value = b.load(x);
    InstId odd = b.compare(CompareOp::Eq, b.binary(BinaryOp::Mod, value, b.constant(2)), b.constant(1));
    b.count(1, odd);
    b.nested(
        Op::If, {odd},
        [&] { b.store(x, b.binary(BinaryOp::Add, b.binary(BinaryOp::Mul, value, b.constant(3)), b.constant(1))); },
        [&] { b.store(x, b.binary(BinaryOp::FloorDiv, value, b.constant(2))); });
    b.store(steps, b.binary(BinaryOp::Add, b.load(steps), b.constant(1)));
  });
  b.count(2, b.cast(Type::I64, b.load(steps)));
  b.store(b.element(y, {i}), b.load(steps));
  b.run(0, n - 1);
  uint64_t total = 0, odds = 0;
  for (int k = 1; k < n; ++k) {
    int length = 0;
    for (int v = k; v != 1; v = v % 2 ? 3 * v + 1 : v / 2) odds += v % 2, ++length;
    EXPECT_EQ(out[k], length);
    total += length;
  }
  EXPECT_EQ(b.counters, (std::vector<uint64_t>{total, odds, total}));
}

/// Data-dependent arms in a vectorised loop, over several parts; the counters add up over calls.
TEST(Counters, ConditionalInVectorLoop) {
  const int n = 10'007;
  std::mt19937 random(3);
  std::vector<float> data(n), out(n);
  for (float& value : data) value = std::uniform_real_distribution<float>(0, 1)(random);
  TaskBuilder b({0, n});
  uint32_t x = b.array(data, {n}), y = b.array(out, {n});
  b.counters.resize(5);
  InstId i = b.index();
  InstId value = b.load(b.element(x, {i}));
  auto constant = [&](float v) { return b.inst(Op::Const, Type::F32, 0, {}, std::bit_cast<uint32_t>(v)); };
  InstId high = b.compare(CompareOp::Gt, value, constant(0.7f));
  b.count(0, high);
  b.nested(
      Op::If, {high},
      [&] {
        InstId higher = b.compare(CompareOp::Gt, value, constant(0.9f));
        b.count(1, higher);
        b.nested(
            Op::If, {higher}, [&] { b.store(b.element(y, {i}), constant(2)); },
            [&] { b.store(b.element(y, {i}), constant(1)); });
      },
      [&] {
        InstId low = b.compare(CompareOp::Lt, value, constant(0.3f));
        b.count(3, low);
        b.nested(
            Op::If, {low}, [&] { b.store(b.element(y, {i}), constant(-1)); },
            [&] {
              b.count(4, b.compare(CompareOp::Gt, value, constant(0.5f)));
              b.store(b.element(y, {i}), constant(0));
            });
      });
  b.count(2, b.truth(true));
  for (int64_t begin = 0; begin < n; begin += 999) b.run(begin, std::min<int64_t>(begin + 999, n), true);
  std::vector<uint64_t> expected(5);
  for (int k = 0; k < n; ++k) {
    expected[0] += data[k] > 0.7f;
    expected[1] += data[k] > 0.9f;
    expected[2] += 1;
    expected[3] += data[k] < 0.3f;
    expected[4] += data[k] > 0.5f && data[k] <= 0.7f;
    ASSERT_EQ(out[k], data[k] > 0.9f ? 2 : data[k] > 0.7f ? 1 : data[k] < 0.3f ? -1 : 0);
  }
  EXPECT_EQ(b.counters, expected);
}

/// y[2i + 1] is read after it has been written in the same iteration, next to y[2i], with stores between that LLVM
/// cannot tell apart from them.
TEST(Stores, AreReadInTheSameIteration) {
  const int n = 1003;
  std::vector<float> x(n), y(2 * n), z(n), w(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i + 1);
  TaskBuilder b({0, n});
  const uint32_t ax = b.array(x, {n}), ay = b.array(y, {2 * n}), az = b.array(z, {n}), aw = b.array(w, {n});
  const InstId even = b.binary(BinaryOp::Mul, b.index(), b.constant(2)),
               odd = b.binary(BinaryOp::Add, even, b.constant(1));
  const InstId value = b.load(b.element(ax, {b.index()})), first = b.load(b.element(ay, {even}));
  b.store(b.element(ay, {odd}), value);
  b.store(b.element(az, {b.index()}), first);
  b.store(b.element(aw, {b.index()}), b.load(b.element(ay, {odd})));
  b.run(0, n, true);
  EXPECT_EQ(w, x);
}

/// Exchanges among y[3i], y[3i + 1] and y[3i + 2], which have been stored before. z is written under conditions alone,
/// and stays what it is elsewhere.
TEST(Stores, UnderConditions) {
  const int n = 1003;
  std::mt19937 random(6);
  std::vector<float> x(3 * n), y(3 * n), z(n, -1), expected_z(n, -1);
  for (float& value : x) value = std::uniform_real_distribution<float>(0, 1)(random);
  TaskBuilder b({0, n});
  const uint32_t ax = b.array(x, {3 * n}), ay = b.array(y, {3 * n}), az = b.array(z, {n});
  b.counters.resize(1);
  auto at = [&](int k) {
    return b.binary(BinaryOp::Add, b.binary(BinaryOp::Mul, b.index(), b.constant(3)), b.constant(k));
  };
  for (int k = 0; k < 3; ++k) b.store(b.element(ay, {at(k)}), b.load(b.element(ax, {at(k)})));
  const InstId half = b.inst(Op::Const, Type::F32, 0, {}, std::bit_cast<uint32_t>(0.5f));
  for (int k : {0, 1, 0}) {
    const InstId low = b.load(b.element(ay, {at(k)})), high = b.load(b.element(ay, {at(k + 1)}));
    const InstId wrong = b.compare(CompareOp::Gt, low, high);
    b.count(0, wrong);
    b.nested(Op::If, {wrong}, [&] {
      b.store(b.element(ay, {at(k)}), high);
      b.store(b.element(ay, {at(k + 1)}), low);
    });
    b.nested(Op::If, {b.compare(CompareOp::Gt, low, half)}, [&] {
      b.store(b.element(az, {b.index()}), low);
      b.store(b.element(az, {b.index()}), high);
    });
    b.nested(
        Op::If, {b.compare(CompareOp::Gt, high, half)}, [&] {},
        [&] {
          b.store(b.element(ay, {at(1)}), low);
          b.store(b.element(ay, {at(2)}), high);
        });
  }
  b.run(0, n, true);
  uint64_t exchanges = 0;
  for (int i = 0; i < n; ++i) {
    float v[3] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
    for (int k : {0, 1, 0}) {
      const float low = v[k], high = v[k + 1];
      if (low > high) ++exchanges, std::swap(v[k], v[k + 1]);
      if (low > 0.5f) expected_z[i] = high;
      if (!(high > 0.5f)) v[1] = low, v[2] = high;
    }
    for (int k = 0; k < 3; ++k) ASSERT_EQ(y[3 * i + k], v[k]);
  }
  EXPECT_EQ(z, expected_z);
  EXPECT_EQ(b.counters[0], exchanges);
}

/// One counter at several places, in arms and outside, of a vectorised loop and of a small one in it.
TEST(Counters, AtSeveralPlaces) {
  const int n = 10'007;
  std::mt19937 random(4);
  std::vector<float> data(n), out(n);
  for (float& value : data) value = std::uniform_real_distribution<float>(0, 1)(random);
  TaskBuilder b({0, n});
  uint32_t x = b.array(data, {n}), y = b.array(out, {n});
  b.counters.resize(2);
  InstId i = b.index();
  InstId value = b.load(b.element(x, {i}));
  auto above = [&](float v) {
    return b.compare(CompareOp::Gt, value, b.inst(Op::Const, Type::F32, 0, {}, std::bit_cast<uint32_t>(v)));
  };
  b.count(0, above(0.1f));
  InstId high = above(0.5f);
  b.nested(Op::If, {high}, [&] { b.count(0, above(0.8f)); }, [&] { b.count(0, above(0.2f)); });
  b.count(0, above(0.9f));
  b.nested(Op::For, {b.constant(0), b.constant(3)}, [&](InstId) {
    b.count(0, above(0.4f));
    b.count(1, high);
    b.nested(Op::For, {b.constant(0), b.index()}, [&](InstId) { b.count(1, above(0.99f)); });
  });
  b.store(b.element(y, {i}), value);
  b.run(0, n, true);
  std::vector<uint64_t> expected(2);
  for (int k = 0; k < n; ++k) {
    const float v = data[k];
    expected[0] += (v > 0.1f) + (v > 0.5f ? v > 0.8f : v > 0.2f) + (v > 0.9f) + 3 * (v > 0.4f);
    expected[1] += 3 * (v > 0.5f) + 3 * static_cast<uint64_t>(k) * (v > 0.99f);
  }
  EXPECT_EQ(b.counters, expected);
  EXPECT_EQ(out, data);
}

/// Counts of small loops inside vectorised ones, with a break, a loop in the loop and one that is too long; more
/// iterations than a strip.
TEST(Counters, InSmallNestedLoops) {
  const int n = 300;
  const int64_t iterations = (int64_t{1} << 24) + 1000;
  std::vector<float> data(n);
  for (int i = 0; i < n; ++i) data[i] = static_cast<float>(i % 7);
  TaskBuilder b({0, static_cast<int32_t>(iterations)});
  uint32_t x = b.array(data, {n});
  b.counters.resize(4);
  InstId value = b.load(b.element(x, {b.binary(BinaryOp::Mod, b.index(), b.constant(n))}));
  auto above = [&](InstId index) { return b.compare(CompareOp::Gt, value, b.cast(Type::F32, index)); };
  b.nested(Op::For, {b.constant(0), b.constant(3)}, [&](InstId outer) {
    b.count(0, above(b.index_of(outer)));
    b.nested(Op::For, {b.constant(0), b.constant(2), b.constant(5), b.constant(7)},
             [&](InstId inner) { b.count(1, above(b.index_of(inner, 1))); });
    b.nested(Op::For, {b.constant(0), b.constant(4)}, [&](InstId inner) {
      b.nested(Op::If, {above(b.index_of(inner))}, [&] { b.inst(Op::Break, Type::Void, 0, {}); });
      b.count(2, b.truth(true));
    });
  });
  b.count(3, above(b.constant(0)));
  auto expected = [&](int64_t begin, int64_t end) {
    std::vector<uint64_t> counts(4);
    for (int64_t i = begin; i < end; ++i) {
      float v = data[i % n];
      for (int o = 0; o < 3; ++o) {
        counts[0] += v > o;
        counts[1] += 2 * ((v > 5) + (v > 6));
        for (int k = 0; k < 4 && !(v > k); ++k) ++counts[2];
      }
      counts[3] += v > 0;
    }
    return counts;
  };
  b.run(5, 1234, true);
  EXPECT_EQ(b.counters, expected(5, 1234));
  b.counters.assign(4, 0);
  b.run(0, iterations, true);
  EXPECT_EQ(b.counters, expected(0, iterations));
}

/// A failed assert leaves the task at once, from any depth, and the counts before it stay.
TEST(Asserts, LeaveTheTaskAndKeepTheCounts) {
  TaskBuilder b({0, 100});
  b.kernel.formats.push_back({{"i is ", ""}, {""}, {Type::I32}});
  b.counters.resize(3);
  InstId i = b.index();
  b.count(0, b.truth(true));
  b.nested(Op::For, {b.constant(0), b.constant(4), b.constant(0), b.constant(5)}, [&](InstId loop) {
    b.count(1, b.truth(true));
    InstId here = b.binary(BinaryOp::BitAnd, b.compare(CompareOp::Eq, i, b.constant(17)),
                           b.compare(CompareOp::Eq, b.index_of(loop, 0), b.constant(2)));
    b.inst(Op::Assert, Type::Void, 0,
           {b.inst(Op::Unary, Type::U1, static_cast<uint32_t>(ir::UnaryOp::LogicalNot), {here}), i});
  });
  b.count(2, b.truth(true));
  EXPECT_FALSE(b.run(0, 100));
  ASSERT_EQ(b.failures.size(), 1u);
  EXPECT_EQ(b.failures[0].values, (std::vector<uint64_t>{17}));
  EXPECT_EQ(b.counters, (std::vector<uint64_t>{18, 17 * 20 + 11, 17}));
  EXPECT_TRUE(b.run(20, 100));
}

TEST(Prints, ValuesOfAllTypes) {
  TaskBuilder b({});
  b.kernel.formats.push_back({{"", "", "", "", ""}, {"", "", "", ""}, {Type::I8, Type::U8, Type::F32, Type::U1}});
  InstId number = b.inst(Op::Const, Type::I8, 0, {}, static_cast<uint64_t>(int64_t{-3}));
  b.inst(Op::Print, Type::Void, 0,
         {number, b.cast(Type::U8, number), b.cast(Type::F32, number), b.cast(Type::U1, number)});
  b.run(0, 1);
  ASSERT_EQ(b.prints.size(), 1u);
  EXPECT_EQ(b.prints[0].values,
            (std::vector<uint64_t>{static_cast<uint64_t>(int64_t{-3}), 253, std::bit_cast<uint32_t>(-3.0f), 1}));
}

TEST(Results, AreWords) {
  TaskBuilder b({});
  b.kernel.results = {Type::I16, Type::U16, Type::F64, Type::U1};
  InstId number = b.inst(Op::Const, Type::I16, 0, {}, static_cast<uint64_t>(int64_t{-2}));
  b.inst(Op::Return, Type::Void, 0, {number, b.cast(Type::U16, number), b.cast(Type::F64, number), b.truth(true)});
  b.run(0, 1);
  EXPECT_EQ(b.results[0], static_cast<uint64_t>(int64_t{-2}));
  EXPECT_EQ(b.results[1], 65534u);
  EXPECT_EQ(std::bit_cast<double>(b.results[2]), -2.0);
  EXPECT_EQ(b.results[3], 1u);
}

TEST(Params, OfAllTypes) {
  TaskBuilder b({});
  b.kernel.params = {{"a", Type::F32}, {"b", Type::I8}, {"c", Type::U1}, {"d", Type::F64}};
  b.params = {std::bit_cast<uint32_t>(1.5f), static_cast<uint64_t>(int64_t{-7}), 1, std::bit_cast<uint64_t>(0.25)};
  b.kernel.results = {Type::F32, Type::I8, Type::U1, Type::F64};
  std::vector<InstId> values;
  for (uint32_t i = 0; i < 4; ++i) values.push_back(b.inst(Op::Arg, b.kernel.params[i].type, i, {}));
  b.inst(Op::Return, Type::Void, 0, values);
  b.run(0, 1);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(b.results[i], b.params[i]) << i;
}

TEST(Random, FillsItsRange) {
  const int n = 20'000;
  std::vector<float> floats(n);
  std::vector<double> doubles(n);
  std::vector<int32_t> integers(n);
  TaskBuilder b({0, n});
  uint32_t x = b.array(floats, {n}), y = b.array(doubles, {n}), z = b.array(integers, {n});
  InstId i = b.index();
  b.store(b.element(x, {i}), b.inst(Op::Random, Type::F32, 0, {}));
  b.store(b.element(y, {i}), b.inst(Op::Random, Type::F64, 0, {}));
  b.store(b.element(z, {i}), b.inst(Op::Random, Type::I32, 0, {}));
  b.thread = {{0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u}};
  b.run(0, n);
  double sums[3] = {};
  for (int k = 0; k < n; ++k) {
    ASSERT_TRUE(floats[k] >= 0 && floats[k] < 1 && doubles[k] >= 0 && doubles[k] < 1);
    sums[0] += floats[k];
    sums[1] += doubles[k];
    sums[2] += integers[k] / 4294967296.0;
  }
  EXPECT_NEAR(sums[0] / n, 0.5, 0.02);
  EXPECT_NEAR(sums[1] / n, 0.5, 0.02);
  EXPECT_NEAR(sums[2] / n, 0.0, 0.02);
}

}  // namespace
}  // namespace qd::codegen
