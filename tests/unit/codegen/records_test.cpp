// Bits that a task records reach the buffer once it ends, whichever way that is.
#include <gtest/gtest.h>

#include "tests/unit/codegen/task_builder.h"

namespace qd::codegen {
namespace {

using ir::BinaryOp;
using ir::CompareOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using testing::TaskBuilder;

/// counter |= 1 << index
void record(TaskBuilder& b, uint32_t counter, Type type, InstId index) {
  InstId one = b.inst(Op::Const, type, 0, {}, 1);
  b.inst(Op::Record, Type::Void, counter, {b.binary(BinaryOp::Shl, one, b.cast(type, index))});
}

TEST(Records, NarrowAndWideAndInBlocks) {
  const int n = 64;
  std::vector<int32_t> out(n);
  TaskBuilder b({0, n});
  uint32_t y = b.array(out, {n});
  b.counters.resize(40);
  record(b, 3, Type::I64, b.index());
  InstId low = b.compare(CompareOp::Lt, b.index(), b.constant(32));
  b.nested(Op::If, {low}, [&] { record(b, 38, Type::I32, b.index()); });
  b.store(b.element(y, {b.index()}), b.index());
  b.run(0, 5);
  EXPECT_EQ(b.counters[3], 0x1fu);
  b.counters[3] = uint64_t{1} << 63;
  b.run(31, 40);
  EXPECT_EQ(b.counters[3], uint64_t{0x1ff} << 31 | uint64_t{1} << 63) << "what is there stays";
  EXPECT_EQ(b.counters[38], 0x8000001fu) << "the sign is a bit as any other";
  for (uint32_t i = 0; i < 40; ++i) {
    if (i != 3 && i != 38) {
      EXPECT_EQ(b.counters[i], 0u);
    }
  }
}

TEST(Records, AnAssertThatFailsKeepsThem) {
  TaskBuilder b({0, 50});
  b.counters.resize(1);
  b.kernel.formats.push_back({{"no"}, {}, {}});
  record(b, 0, Type::I64, b.index());
  b.inst(Op::Assert, Type::Void, 0, {b.compare(CompareOp::Lt, b.index(), b.constant(17))});
  EXPECT_FALSE(b.run(10, 50));
  EXPECT_EQ(b.counters[0], uint64_t{0xff} << 10);
}

}  // namespace
}  // namespace qd::codegen
