// Names in reports. Whole tables are compared with coverage.py in tests/differential.
#include <gtest/gtest.h>

#include "report/formats/common/human_order.h"

namespace qd::report {
namespace {

TEST(HumanOrder, NumbersCompareAsNumbers) {
  EXPECT_TRUE(human_less("z2.py", "z10.py"));
  EXPECT_FALSE(human_less("z10.py", "z2.py"));
  EXPECT_TRUE(human_less("z02.py", "z2.py"));  // the same number: then by letters
  EXPECT_TRUE(human_less("Z3", "z1"));
  EXPECT_TRUE(human_less("a", "a1"));
  EXPECT_TRUE(human_less("٣.py", "٢٠.py"));  // 3 and 20
  EXPECT_TRUE(human_less("1a", "a1"));
  EXPECT_FALSE(human_less("a1", "a1"));
  EXPECT_TRUE(human_less("x99999999999999999999", "x100000000000000000000"));
}

TEST(Printable, ReplacesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a b.py"), "a b.py");
  EXPECT_EQ(printable("a\x1b[31m.py"), "a?[31m.py");
  EXPECT_EQ(printable("naïve 日本.py"), "naïve 日本.py");
  EXPECT_EQ(printable("a\u00a0b\u200bc.py"), "a?b?c.py");
}

}  // namespace
}  // namespace qd::report
