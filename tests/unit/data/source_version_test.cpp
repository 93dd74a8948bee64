// Versions of sources that data is of, through merging and through files.
#include "report/data/source_version.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "report/data/source_hash.h"
#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

class SourceVersions : public ::qd::testing::ScratchFolder {
 protected:
  static constexpr const char* kText = "x = 1\n";

  static FileData measured(std::set<std::string> hashes, bool ran = true) {
    FileData file;
    if (ran) file.lines[0].insert(1);
    file.source_hashes = std::move(hashes);
    return file;
  }
  static SourceVersion merged(FileData ours, const FileData& other) {
    merge_versions(ours, other);
    ours.lines[0].insert(1);
    return version_of(ours, kText);
  }
};

TEST_F(SourceVersions, OneFile) {
  const std::string hash = source_hash(kText);
  EXPECT_EQ(version_of(measured({}), kText), SourceVersion::Unknown);
  EXPECT_EQ(version_of(measured({}, false), kText), SourceVersion::This);
  EXPECT_EQ(version_of(measured({hash}), kText), SourceVersion::This);
  EXPECT_EQ(version_of(measured({hash}), "x = 1\r\n"), SourceVersion::This);
  EXPECT_EQ(version_of(measured({hash}), "x = 2\n"), SourceVersion::Other);
  EXPECT_EQ(version_of(measured({hash}, false), "x = 2\n"), SourceVersion::Other);
  EXPECT_EQ(version_of(measured({kChangedVersion}), kText), SourceVersion::Other);
  EXPECT_EQ(version_of(measured({kDoubtfulVersion}), kText), SourceVersion::Newer);
}

TEST_F(SourceVersions, Merged) {
  const FileData ours = measured({source_hash(kText)}), other = measured({source_hash("y")}), none = measured({}),
                 touched = measured({}, false), older = measured({kDoubtfulVersion});
  EXPECT_EQ(merged(ours, ours), SourceVersion::This);
  EXPECT_EQ(merged(ours, touched), SourceVersion::This);
  EXPECT_EQ(merged(touched, ours), SourceVersion::This);
  EXPECT_EQ(merged(ours, other), SourceVersion::Other);
  EXPECT_EQ(merged(ours, none), SourceVersion::Unknown);
  EXPECT_EQ(merged(none, ours), SourceVersion::Unknown);
  EXPECT_EQ(merged(none, none), SourceVersion::Unknown);
  EXPECT_EQ(merged(ours, older), SourceVersion::PartlyOther);
  EXPECT_EQ(merged(older, ours), SourceVersion::PartlyOther);
  EXPECT_EQ(merged(older, none), SourceVersion::Newer);
}

TEST_F(SourceVersions, MarksOfMergingAreKept) {
  FileData file = measured({});
  merge_versions(file, measured({"a"}));
  EXPECT_EQ(file.source_hashes, (std::set<std::string>{"a", kNoVersion}));
  merge_versions(file, measured({}));
  EXPECT_EQ(file.source_hashes, (std::set<std::string>{"a", kNoVersion}));
  file = measured({});
  merge_versions(file, measured({}));
  EXPECT_TRUE(file.source_hashes.empty());
}

TEST_F(SourceVersions, RowsThatAnotherProgramAdded) {
  CoverageData data;
  data.add_arc("a.py", {-1, 1});
  data.add_arc("a.py", {1, 2}, data.context_id("test"));
  data.add_arc("b.py", {-1, 1});
  data.files["a.py"].source_hashes = data.files["b.py"].source_hashes = {"hash"};
  write_data(path("data"), data);
  auto versions = [&](const char* file) { return read_data(path("data")).files.at(file).source_hashes; };
  auto add = [&](const char* sql) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path("data").c_str(), &handle), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(handle, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(handle);
  };
  const std::set<std::string> hash = {"hash"}, both = {"hash", kDoubtfulVersion};
  EXPECT_EQ(versions("a.py"), hash);
  EXPECT_EQ(read_data(path("data"), true, [](ContextId, const std::string&) { return std::optional<ContextId>(); })
                .files.at("a.py")
                .source_hashes,
            hash);
  add("INSERT OR IGNORE INTO arc VALUES (1, 1, -1, 1)");
  EXPECT_EQ(versions("a.py"), hash);
  add("INSERT OR IGNORE INTO arc VALUES (1, 1, 5, 6)");
  EXPECT_EQ(versions("a.py"), both);
  EXPECT_EQ(versions("b.py"), hash);
  add("CREATE TABLE more (x)");  // the rows that SQLite has to read are the same
  EXPECT_EQ(versions("a.py"), both);
  EXPECT_EQ(versions("b.py"), hash);
}

TEST_F(SourceVersions, LinesAreSummedUpWithoutTheirEnd) {
  MeasuredSum a, b, c;
  a.add_lines(1, std::string_view("\x02\x00", 2));
  b.add_lines(1, "\x02");
  c.add_lines(2, "\x02");
  EXPECT_EQ(a.value(), b.value());
  EXPECT_NE(a.value(), c.value());
}

}  // namespace
}  // namespace qd::report
