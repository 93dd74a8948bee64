#include "report/data/numbits.h"

#include <gmock/gmock.h>

namespace qd::report {
namespace {

using ::testing::ElementsAre;

TEST(Numbits, HasCoveragePysForm) {
  Numbits bits;
  for (int line : {1, 8, 15, 16}) bits.insert(line);
  EXPECT_EQ(bits.bytes(), std::string("\x02\x81\x01", 3));
  EXPECT_THAT(bits.lines(), ElementsAre(1, 8, 15, 16));
}

TEST(Numbits, KnowsWhatItContains) {
  Numbits bits(std::string("\x02\x80\x00", 3));
  EXPECT_TRUE(bits.contains(1));
  EXPECT_TRUE(bits.contains(15));
  for (int line : {-1, 0, 2, 16, 24, 1000000}) EXPECT_FALSE(bits.contains(line)) << line;
}

TEST(Numbits, MergesSetsOfDifferentLength) {
  Numbits shorter(std::string("\x02", 1)), longer(std::string("\x01\x00\x80", 3));
  Numbits both = shorter;
  both.merge(longer);
  EXPECT_EQ(both.bytes(), std::string("\x03\x00\x80", 3));
  longer.merge(shorter);
  EXPECT_EQ(longer, both);
}

}  // namespace
}  // namespace qd::report
