// Data that other tools measured adds up, and survives writing, reading and combining.
#include "report/data/imported.h"

#include <gmock/gmock.h>

#include <limits>

#include "report/data/combine.h"
#include "report/data/sqlite.h"
#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

using ::qd::testing::message_of;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

ImportedFile some_file() {
  ImportedFile file;
  file.sources = {"gcov 12.2.0", "lcov"};
  file.lines = {{3, 1}, {200000, 0}, {200001, uint64_t{1} << 40}};
  file.branches = {{3, 0, 0, "", 1},
                   {3, 0, 1, "", 0},
                   {3, 7, 0, "jump to\nline 5", std::nullopt},
                   {200000, -1, 2, "", uint64_t{1} << 62}};
  file.functions = {{3, 9, "int f<int>(char const*)", 12}, {200000, 0, "g", 0}};
  return file;
}

TEST(Imported, WhatStandsForTheSamePlaceAddsUp) {
  ImportedFile file;
  file.lines = {{5, 2}, {3, 1}, {5, 3}, {5, kMost}};
  file.branches = {{5, 0, 1, "", 0},
                   {5, 0, 0, "", std::nullopt},
                   {5, 0, 1, "", 4},
                   {5, 0, 0, "", std::nullopt},
                   {5, 0, 0, "x", std::nullopt},
                   {5, 0, 0, "x", 0}};
  file.functions = {{5, 6, "f", 1}, {2, 3, "g", 1}, {5, 6, "f", 2}, {5, 7, "f", 2}};
  file.settle();
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{3, 1}, ImportedLine{5, kMost}));
  EXPECT_THAT(file.branches, ElementsAre(ImportedBranch{5, 0, 0, "", std::nullopt}, ImportedBranch{5, 0, 0, "x", 0},
                                         ImportedBranch{5, 0, 1, "", 4}));
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{2, 3, "g", 1}, ImportedFunction{5, 6, "f", 3},
                                          ImportedFunction{5, 7, "f", 2}));
}

TEST(Imported, MergingIsSettlingBothLists) {
  ImportedFile a = some_file(), b;
  b.sources = {"llvm-cov"};
  b.lines = {{1, 1}, {3, 5}};
  b.branches = {{3, 0, 1, "", 2}, {4, 0, 0, "", 0}};
  b.functions = {{3, 9, "int f<int>(char const*)", 1}, {1, 1, "h", 1}};
  b.settle();
  ImportedFile both = a;
  both.sources.insert("llvm-cov");
  both.lines.insert(both.lines.end(), b.lines.begin(), b.lines.end());
  both.branches.insert(both.branches.end(), b.branches.begin(), b.branches.end());
  both.functions.insert(both.functions.end(), b.functions.begin(), b.functions.end());
  both.settle();
  a.merge(b);
  EXPECT_EQ(a, both);
  EXPECT_EQ(a.hits(3), 6u);
  EXPECT_EQ(a.hits(2), 0u);
  EXPECT_TRUE(a.has_line(200000));
  EXPECT_FALSE(a.has_line(2));
  EXPECT_EQ(a.branches_of(3).size(), 3u);
  EXPECT_TRUE(a.branches_of(5).empty());
}

TEST(Imported, AFunctionWithoutAnEndGoesToTheNext) {
  ImportedFile file;
  file.lines = {{2, 1}, {30, 0}};
  file.functions = {{2, 0, "f", 1}, {5, 6, "g", 1}, {9, 0, "h", 0}};
  EXPECT_EQ(file.last_line_of(file.functions[0]), 4);
  EXPECT_EQ(file.last_line_of(file.functions[1]), 6);
  EXPECT_EQ(file.last_line_of(file.functions[2]), 30);
}

class ImportedTables : public ::qd::testing::ScratchFolder {};

TEST_F(ImportedTables, ComeBackFromAFile) {
  CoverageData data;
  data.add_line("a.py", 4);
  data.imported["/src/a.cpp"] = some_file();
  data.imported["/src/empty.cpp"].sources = {"lcov"};
  write_data(path("data"), data);
  CoverageData read = read_data(path("data"));
  EXPECT_EQ(read.imported, data.imported);
  EXPECT_EQ(read.files.size(), 1u);  // the table of coverage.py has the Python file alone
}

TEST_F(ImportedTables, AreNotMadeForNothing) {
  CoverageData data;
  data.add_line("a.py", 4);
  write_data(path("data"), data);
  Database database = Database::open_to_read(path("data"));
  Statement tables(database, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'qd_imported%'");
  tables.step();
  EXPECT_EQ(tables.integer(0), 0);
}

TEST_F(ImportedTables, DamagedListsAreAnError) {
  CoverageData data;
  data.imported["/src/a.cpp"] = some_file();
  write_data(path("data"), data);
  for (const char* change :
       {"lines = x'03'", "lines = x'80'", "lines = x'FFFFFFFFFFFFFFFFFFFF0101'", "lines = x'FFFFFFFF0F01'",
        "branches = x'0300000105'", "branches = x'03000000FFFFFFFFFFFFFFFFFF01'"}) {
    std::filesystem::copy_file(path("data"), path("bad"), std::filesystem::copy_options::overwrite_existing);
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path("bad").c_str(), &handle), SQLITE_OK);
    ASSERT_EQ(
        sqlite3_exec(handle, (std::string("UPDATE qd_imported SET ") + change).c_str(), nullptr, nullptr, nullptr),
        SQLITE_OK);
    sqlite3_close(handle);
    EXPECT_EQ(message_of<DataError>([&] { read_data(path("bad")); }),
              "Couldn't use the imported data of '/src/a.cpp': its lines or branches are damaged")
        << change;
  }
}

TEST_F(ImportedTables, CombineAddsThemUnderTheirMappedPathsAndAppendKeepsThem) {
  CoverageData data;
  data.imported["/ci/a.cpp"].lines = {{1, 1}, {2, 0}};
  write_data(path("part1"), data);
  data.imported["/ci/a.cpp"].lines = {{1, 4}};
  write_data(path("part2"), data);
  CombineOptions options;
  options.data_file = path(".coverage");
  options.paths = {path("part1")};
  options.map_path = [](const std::string& p) { return p.starts_with("/ci/") ? "/here/" + p.substr(4) : p; };
  combine_data(options);
  options.paths = {path("part2")};
  options.append = true;
  combine_data(options);
  CoverageData read = read_data(path(".coverage"));
  ASSERT_EQ(read.imported.size(), 1u);
  EXPECT_THAT(read.imported["/here/a.cpp"].lines, ElementsAre(ImportedLine{1, 5}, ImportedLine{2, 0}));
}

TEST_F(ImportedTables, FilesOfOtherToolsAreCombinedAndStay) {
  CoverageData data;
  data.add_line("a.py", 1);
  write_data(path("part"), data);
  write("out.info", "x");
  CombineOptions options;
  options.data_file = path(".coverage");
  options.paths = {path("part"), path("out.info")};
  options.import = [&](const std::string& file) -> std::optional<CoverageData> {
    if (!file.ends_with(".info")) return std::nullopt;
    CoverageData result;
    result.imported["a.cpp"].lines = {{7, 7}};
    return result;
  };
  EXPECT_EQ(combine_data(options).message(), "Combined 2 files");
  EXPECT_EQ(read_data(path(".coverage")).imported["a.cpp"].hits(7), 7u);
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage", "out.info"));
}

}  // namespace
}  // namespace qd::report
