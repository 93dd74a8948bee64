#include <gtest/gtest.h>

#include <random>

#include "tests/unit/data/damaged_file_check.h"
#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

class DamagedFiles : public ::qd::testing::ScratchFolder {
 protected:
  static std::vector<std::string> seeds() {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(QD_SOURCE_DIR "/tests/fuzz/corpus/data")) {
      std::ifstream stream(entry.path(), std::ios::binary);
      result.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    std::sort(result.begin(), result.end());
    return result;
  }
};

TEST_F(DamagedFiles, KeepThePromises) {
  std::mt19937 die(7);
  int readable = 0, unreadable = 0;
  ASSERT_GE(seeds().size(), 5u);
  for (const std::string& seed : seeds())
    for (int i = 0; i < 60; ++i) {
      std::string bytes = seed;
      for (unsigned changes = die() % 4; changes > 0; --changes)
        bytes[die() % bytes.size()] = static_cast<char>(die() % 3 ? die() : 0);
      if (i % 10 == 9) bytes.resize(die() % bytes.size());
      bool read = false;
      EXPECT_EQ(promises_broken(bytes, path("data"), &read), "") << "change " << i;
      ++(read ? readable : unreadable);
    }
  EXPECT_GT(readable, 50);
  EXPECT_GT(unreadable, 50);
}

}  // namespace
}  // namespace qd::report
