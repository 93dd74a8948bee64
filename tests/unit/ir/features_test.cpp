// Features that kernels need of a device.
#include "runtime/ir/features.h"

#include <gtest/gtest.h>

namespace qd::ir {
namespace {

std::optional<Missing> missing(const char* body, Features present, const char* interface = "") {
  const std::string text = std::string("kernel k\n") + interface +
                           "function 0 \"/k.py\" k 1\nlocation 0 function 0 line 2 col 4\n\nbody {\n" + body + "}\n";
  return missing_feature(parse(text), present);
}

TEST(Features, OfTypes) {
  const char* real = "  %0 = const f64 0x0000000000000000 @0\n";
  EXPECT_FALSE(missing(real, kAllFeatures));
  const auto found = missing(real, kAllFeatures & ~features(Feature::F64));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->feature, Feature::F64);
  EXPECT_EQ(found->inst, InstId{0});
  EXPECT_FALSE(missing(real, kAllFeatures & ~features(Feature::I64)));
  EXPECT_TRUE(missing("  %0 = const i64 1 @0\n", kAllFeatures & ~features(Feature::I64)));
  EXPECT_TRUE(missing("  %0 = const u8 1 @0\n", kAllFeatures & ~features(Feature::SmallIntegers)));
  EXPECT_FALSE(missing("  %0 = const u1 true @0\n", 0)) << "every device has truth values, i32 and f32";
}

TEST(Features, OfOperations) {
  const char* sum = "  %0 = global_temp f32 0 @0\n  %1 = const f32 0x0 @0\n  %2 = atomic add f32 %0, %1 @0\n";
  const char* temps = "temps 1\n";
  const auto found = missing(sum, kAllFeatures & ~features(Feature::FloatAtomics), temps);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->inst, InstId{2});
  EXPECT_FALSE(missing(sum, kAllFeatures & ~features(Feature::WideAtomics), temps));
}

TEST(Features, OfBlocks) {
  const char* loop = "  %0 = const i32 8 @0\n  %1 = for 0 [%0, %0) { %2 = lane i32 @0 }\n";
  const char* table = "loop 0 parallel\n";
  EXPECT_FALSE(missing(loop, kAllFeatures, table));
  const auto found = missing(loop, kAllFeatures & ~features(Feature::Subgroups), table);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->feature, Feature::Subgroups);
  EXPECT_TRUE(missing(loop, kAllFeatures & ~features(Feature::Blocks), table));
}

TEST(Features, OfTheInterface) {
  const auto found = missing("", kAllFeatures & ~features(Feature::F64), "array 0 x f64 rank 1 parameter\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->inst, InstId::None);
}

}  // namespace
}  // namespace qd::ir
