// The container of modules.
#include "runtime/codegen/spirv/container.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace qd::codegen::spirv {
namespace {

TEST(Container, GivesBackWhatWasPacked) {
  const std::vector<TaskCode> tasks{{{1, 2, 3}, 64, true}, {{}, 1, false}, {{7}, 32, false, {8, 9}, {4}}};
  const auto [back, tables] = unpack(pack({tasks, {5, 6}}));
  EXPECT_EQ(tables, (std::vector<uint32_t>{5, 6}));
  ASSERT_EQ(back.size(), tasks.size());
  for (size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_EQ(back[i].words, tasks[i].words);
    EXPECT_EQ(back[i].local_size, tasks[i].local_size);
    EXPECT_EQ(back[i].draws, tasks[i].draws);
    EXPECT_EQ(back[i].bound_words, tasks[i].bound_words);
    EXPECT_EQ(back[i].bound, tasks[i].bound);
  }
  EXPECT_TRUE(unpack(pack({})).tasks.empty());
}

TEST(Container, RefusesWhatIsNone) {
  const std::vector<TaskCode> tasks{{{1, 2, 3}, 64, true}};
  const std::string bytes = pack({tasks});
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(unpack(std::string_view(bytes).substr(0, length)), std::runtime_error) << length;
  EXPECT_THROW(unpack(bytes + "x"), std::runtime_error);
  std::string other = bytes;
  other[0] = 'x';
  EXPECT_THROW(unpack(other), std::runtime_error);
  std::string long_one = bytes;
  long_one[20] = '\xff';  // the number of words
  long_one[23] = '\xff';
  EXPECT_THROW(unpack(long_one), std::runtime_error);
}

}  // namespace
}  // namespace qd::codegen::spirv
