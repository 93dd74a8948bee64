// Names and promotion of the scalar types.
#include "runtime/ir/type.h"

#include <gtest/gtest.h>

namespace qd::ir {
namespace {

constexpr Type kAll[] = {Type::Void, Type::U1,  Type::I8,  Type::I16, Type::I32, Type::I64, Type::U8,
                         Type::U16,  Type::U32, Type::U64, Type::F16, Type::F32, Type::F64};

TEST(Type, NamesReadBack) {
  for (Type type : kAll) EXPECT_EQ(type_from_name(name(type)), type);
  EXPECT_EQ(name(Type::U1), "u1");
  EXPECT_EQ(name(Type::F64), "f64");
  EXPECT_EQ(type_from_name("int"), std::nullopt);
}

TEST(Type, PromotionIsSymmetricAndOneOfBoth) {
  for (Type a : kAll) {
    for (Type b : kAll) {
      if (a == Type::Void || b == Type::Void) continue;
      const Type c = promote(a, b);
      EXPECT_EQ(c, promote(b, a));
      EXPECT_TRUE(c == a || c == b);
    }
  }
}

TEST(Type, PromotionFollowsTheLanguage) {
  EXPECT_EQ(promote(Type::I64, Type::F32), Type::F32);  // float beats integer
  EXPECT_EQ(promote(Type::I8, Type::I16), Type::I16);   // the wider wins
  EXPECT_EQ(promote(Type::U16, Type::I32), Type::I32);
  EXPECT_EQ(promote(Type::I32, Type::U32), Type::U32);  // unsigned of the same width
  EXPECT_EQ(promote(Type::U1, Type::I8), Type::I8);
  EXPECT_EQ(promote(Type::F32, Type::F64), Type::F64);
  EXPECT_EQ(promote(Type::F16, Type::F32), Type::F32);
  EXPECT_EQ(promote(Type::I64, Type::F16), Type::F16);
}

}  // namespace
}  // namespace qd::ir
