// Damaged reports: whatever byte is wrong or missing, there is an answer or a DataError, and what was read is in order.
#include <gmock/gmock.h>

#include <random>

#include "report/inputs/inputs.h"
#include "tests/unit/data/scratch_folder.h"
#include "tests/unit/inputs/input_samples.h"

namespace qd::report {
namespace {

class Damage : public ::qd::testing::ScratchFolder, public ::testing::WithParamInterface<const char*> {
 protected:
  /// True when it could be read.
  bool reads(const std::string& text) {
    write("in", text);
    std::optional<CoverageData> data;
    try {
      data = read_input(path("in"));
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), ::testing::StartsWith("Couldn't read '"));
      return false;
    }
    if (!data) return false;
    for (const auto& [path, file] : data->imported) {
      ImportedFile settled = file;
      settled.settle();
      EXPECT_EQ(settled, file);
      for (const ImportedLine& line : file.lines) EXPECT_TRUE(line.line > 0 && line.line <= kMaxImportedLine);
      for (const ImportedBranch& branch : file.branches) EXPECT_TRUE(branch.line > 0 && branch.line <= kMaxImportedLine);
    }
    return true;
  }
};

TEST_P(Damage, cut_off_anywhere_it_is_an_error) {
  std::string text = GetParam();
  ASSERT_TRUE(reads(text));
  size_t end = text.find_last_not_of(" \n") + 1;
  size_t begin = text.starts_with("TN:") ? text.find("SF:") : 0;  // LCOV may be of no file
  for (size_t size = begin + 3; size < end; ++size) EXPECT_FALSE(reads(text.substr(0, size))) << text.substr(0, size);
}

TEST_P(Damage, wrong_bytes_are_survived) {
  std::mt19937 random(1);
  const std::string text = GetParam();
  const std::string pieces[] = {"", "0", "-1", "99999999999999999999", "1e999", "\"", "<", ">", "{", "[", "]", "null", ",", ":", "\n", std::string(1, '\0'), "\xFF", "/", "&lt;", "end_of_record\n"};
  for (int round = 0; round < 500; ++round) {
    std::string damaged = text;
    for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n) {
      size_t at = random() % damaged.size();
      damaged.replace(at, random() % 4, pieces[random() % std::size(pieces)]);
    }
    reads(damaged);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Damage, ::testing::Values(qd::testing::kLcov, qd::testing::kCobertura, qd::testing::kGcov, qd::testing::kLlvm));

}  // namespace
}  // namespace qd::report
