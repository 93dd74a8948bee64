// Damaged reports: for any wrong or missing byte there is an answer or a DataError, and data that was read is in order.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>

#include "report/inputs/coverage_json.h"
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
      for (const ImportedBranch& branch : file.branches)
        EXPECT_TRUE(branch.line > 0 && branch.line <= kMaxImportedLine);
    }
    return true;
  }
};

TEST_P(Damage, CutOffAnywhereItIsAnError) {
  std::string text = GetParam();
  ASSERT_TRUE(reads(text));
  size_t end = text.find_last_not_of(" \n") + 1;
  size_t begin = text.starts_with("TN:") ? text.find("SF:") : 0;  // LCOV may be of no file
  for (size_t size = begin + 3; size < end; ++size) EXPECT_FALSE(reads(text.substr(0, size))) << text.substr(0, size);
}

TEST_P(Damage, WrongBytesAreSurvived) {
  std::mt19937 random(1);
  const std::string text = GetParam();
  const std::string pieces[] = {"",      "0",  "-1",   "99999999999999999999",
                                "1e999", "\"", "<",    ">",
                                "{",     "[",  "]",    "null",
                                ",",     ":",  "\n",   std::string(1, '\0'),
                                "\xFF",  "/",  "&lt;", "end_of_record\n"};
  int read = 0;
  for (int round = 0; round < 500; ++round) {
    std::string damaged = text;
    for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n) {
      size_t at = random() % damaged.size();
      damaged.replace(at, random() % 4, pieces[random() % std::size(pieces)]);
    }
    read += reads(damaged);
  }
  // Some damage is in parts that are not read; most of it is an error.
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 400);
}

constexpr const char* kBase =
    R"({"meta": {"format": 3, "branch_coverage": true, "qd_cov": {"commit": "ab", "dirty": false, "folder": "", "sources": {"a.py": "xxh3:0"}}},
"files": {"a.py": {"executed_lines": [1, 2], "summary": {"covered_lines": 2, "num_statements": 3, "covered_branches": 1, "num_branches": 2},
"missing_lines": [4], "excluded_lines": [5], "executed_branches": [[2, 3]], "missing_branches": [[2, -1]], "functions": {"": {"executed_lines": [1]}}}},
"totals": {"covered_lines": 2}})";

class BaseDamage : public ::qd::testing::ScratchFolder {
 protected:
  bool reads_base(const std::string& text) {
    write("in", text);
    try {
      for (const auto& [name, file] : read_coverage_json(path("in")).files)
        for (const auto* lines : {&file.executed, &file.missing, &file.excluded})
          for (int32_t line : *lines) EXPECT_TRUE(line > 0 && line <= kMaxImportedLine);
      return true;
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), ::testing::StartsWith("Couldn't read '"));
      return false;
    }
  }
};

TEST_F(BaseDamage, CutOffAnywhereItIsAnError) {
  std::string text = kBase;
  ASSERT_TRUE(reads_base(text));
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(reads_base(text.substr(0, size))) << text.substr(0, size);
}

TEST_F(BaseDamage, WrongBytesAreSurvived) {
  std::mt19937 random(1);
  const std::string pieces[] = {
      "",  "0", "-1", "99999999999999999999", "1e999", "\"", "{", "[", "]", "}", "null", "true",
      ",", ":", "\n", std::string(1, '\0'),   "\xFF"};
  int read = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = kBase;
    for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n) {
      size_t at = random() % damaged.size();
      damaged.replace(at, random() % 4, pieces[random() % std::size(pieces)]);
    }
    read += reads_base(damaged);
  }
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 1600);
}

/// Of a key that an object has twice the last value counts: in the tree of the JSON library, too.
TEST_F(BaseDamage, OfAKeyTwiceTheLastValueCounts) {
  const std::string file = R"({"summary": {"covered_lines": 1, "num_statements": 2, "covered_branches": 1,
      "num_branches": 2}, "executed_lines": [1], "missing_lines": [4], "executed_branches": [[1, 2]],
      "missing_branches": [[1, -1]]})";
  const std::string other = R"({"executed_lines": [1, 9], "executed_branches": [[7, 8]], "summary": {"covered_lines": 2,
      "num_statements": 3}, "missing_lines": [4]})";
  const std::string members[] = {
      R"("meta": {"branch_coverage": true, "qd_cov": {"commit": "c", "dirty": true, "folder": "f"}})",
      R"("meta": {"format": 3})",
      R"("files": {"a.py": )" + file + "}",
      R"("files": {"b.py": )" + other + "}",
      R"("files": {"a.py": )" + file + R"(, "b.py": )" + file + R"(, "a.py": )" + other + "}",
      R"("files": {"a.py": )" + file.substr(0, file.size() - 1) +
          R"(, "executed_lines": [1, 2], "missing_branches": [[3, 4], [3, 4]], "summary": {"covered_lines": 2,
      "num_statements": 3}}})",
      R"("files": 5)",
      R"("totals": {})",
      R"("totals": {"covered_lines": 1})"};
  auto read = [&](const std::string& text) -> std::optional<CoverageJson> {
    write("in", text);
    try {
      return read_coverage_json(path("in"));
    } catch (const DataError&) {
      return {};
    }
  };
  std::mt19937 random(1);
  int found = 0;
  for (int round = 0; round < 300; ++round) {
    std::string text = "{";
    for (int n = 2 + static_cast<int>(random() % 5); n > 0; --n)
      text += members[random() % std::size(members)] + (n > 1 ? ", " : "}");
    std::optional<CoverageJson> twice = read(text), once = read(nlohmann::json::parse(text).dump());
    ASSERT_EQ(twice.has_value(), once.has_value()) << text;
    if (!once) continue;
    ++found;
    EXPECT_EQ(twice->branches, once->branches) << text;
    EXPECT_EQ(std::tie(twice->commit, twice->dirty, twice->folder), std::tie(once->commit, once->dirty, once->folder));
    ASSERT_EQ(twice->files.size(), once->files.size()) << text;
    for (const auto& [name, wanted] : once->files) {
      const CoverageJsonFile& got = twice->files[name];
      EXPECT_EQ(std::tie(got.executed, got.missing, got.executed_branches, got.missing_branches),
                std::tie(wanted.executed, wanted.missing, wanted.executed_branches, wanted.missing_branches))
          << text;
      EXPECT_EQ(std::tie(got.covered_lines, got.num_statements, got.covered_branches, got.num_branches),
                std::tie(wanted.covered_lines, wanted.num_statements, wanted.covered_branches, wanted.num_branches))
          << text;
    }
  }
  EXPECT_GT(found, 50);
}

INSTANTIATE_TEST_SUITE_P(Formats, Damage,
                         ::testing::Values(qd::testing::kLcov, qd::testing::kCobertura, qd::testing::kClover,
                                           qd::testing::kIstanbul, qd::testing::kPhpUnit, qd::testing::kJacoco,
                                           qd::testing::kGcov, qd::testing::kLlvm));

}  // namespace
}  // namespace qd::report
