#include "report/data/data_pages.h"

#include <gmock/gmock.h>

#include <random>

#include "report/data/sqlite.h"
#include "tests/unit/data/same_data.h"
#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

class DataPages : public ::qd::testing::ScratchFolder {
 protected:
  /// A data file with enough in it for trees of two levels and for rows that overflow their page.
  CoverageData large(bool arcs) {
    CoverageData data;
    data.path = path("data");
    data.contexts = {"", "a context", std::string(3000, 'c')};
    for (int i = 0; i < 20; ++i) {
      std::string file = "/src/" + std::string(static_cast<size_t>(i * 60), 'x') + ".py";
      for (ContextId context = 0; context < 3; ++context)
        for (int line = 1; line < 30 + 10 * i; line += 3 + i % 5)
          arcs ? data.add_arc(file, {-line, line + 70000 * (i % 3)}, context) : data.add_line(file, line * 40, context);
      if (i % 7 == 0) data.files[file].tracer = "some.plugin";
      if (i % 3 == 0)
        data.files[file].source_hashes = {std::string(32, 'a'), std::string(32, static_cast<char>('b' + i))};
    }
    data.files.try_emplace("/src/touched.py");
    return data;
  }
  std::string written(bool arcs) {
    write_data(path("data"), large(arcs));
    return read("data");
  }
  /// SQLite's reading of `bytes`; no value for an error.
  std::optional<CoverageData> by_sqlite(const std::string& bytes) {
    write("data", bytes);
    try {
      return read_data_with_sqlite(path("data"), false);
    } catch (const DataError&) {
      return std::nullopt;
    }
  }
  std::optional<CoverageData> by_pages(const std::string& bytes) {
    try {
      return read_data_pages(path("data"), bytes);
    } catch (const DataError&) {
      return std::nullopt;
    }
  }
};

TEST_F(DataPages, ReadWhatWasWritten) {
  for (bool arcs : {false, true}) {
    std::optional<CoverageData> data = read_data_pages(path("data"), written(arcs));
    ASSERT_TRUE(data.has_value());
    EXPECT_TRUE(same_data(*data, large(arcs)));
    EXPECT_TRUE(same_data(*data, read_data_with_sqlite(path("data"), false)));
  }
}

TEST_F(DataPages, ContextsCanBeJoinedOrLeftOut) {
  const FoldContext fold = [](ContextId id, const std::string& context) {
    return context == "left out" ? std::nullopt : std::optional<ContextId>(id == 3 ? 1 : id);
  };
  for (bool arcs : {false, true}) {
    CoverageData data, expected;
    data.path = expected.path = path("data");
    data.contexts = expected.contexts = {"", "one", "left out", "three"};
    auto add = [&](CoverageData& to, int32_t line, ContextId context) {
      arcs ? to.add_arc("/a.py", {line, line + 1}, context) : to.add_line("/a.py", line, context);
    };
    for (ContextId context = 0; context < 4; ++context)
      for (int32_t line : {1, 5 + static_cast<int32_t>(context), 20 - static_cast<int32_t>(context)}) {
        add(data, line, context);
        if (context != 2) add(expected, line, context == 3 ? 1 : context);
      }
    write_data(path("data"), data);
    std::optional<CoverageData> pages = read_data_pages(path("data"), read("data"), fold);
    ASSERT_TRUE(pages.has_value());
    EXPECT_TRUE(same_data(*pages, expected));
    EXPECT_TRUE(same_data(read_data_with_sqlite(path("data"), false, fold), expected));
    EXPECT_TRUE(same_data(read_data(path("data"), true, fold), expected));
  }
}

TEST_F(DataPages, LeaveUnusualFilesToSqlite) {
  EXPECT_FALSE(read_data_pages("x", ""));
  EXPECT_FALSE(read_data_pages("x", std::string(5000, 'x')));
  const std::string healthy = written(true);
  for (const char* sql : {"PRAGMA journal_mode=wal", "CREATE TABLE other (x)", "CREATE INDEX more ON arc (fromno)",
                          "ALTER TABLE arc ADD COLUMN x", "UPDATE coverage_schema SET version = 8",
                          "UPDATE arc SET fromno = 'x' WHERE rowid = 1", "UPDATE arc SET fromno = NULL WHERE rowid = 1",
                          "UPDATE arc SET fromno = 1.5 WHERE rowid = 1", "INSERT INTO line_bits VALUES (1, 1, x'02')",
                          "UPDATE file SET path = NULL WHERE id = 1", "DELETE FROM coverage_schema",
                          "INSERT INTO coverage_schema VALUES (7)", "DROP TABLE tracer"}) {
    write("data", healthy);
    {
      Database::create(path("data"), "x").execute(sql);
    }
    EXPECT_FALSE(read_data_pages("x", read("data"))) << sql;
  }
}

TEST_F(DataPages, FilesCutAtAnyLengthAreNoData) {
  const std::string healthy = written(true);
  const size_t last_page = healthy.size() - 4096;  // of which SQLite may not need everything
  for (size_t size = 0; size < healthy.size(); size += size < 5000 ? 1 : 61) {
    EXPECT_FALSE(by_pages(healthy.substr(0, size))) << size;
    if (size % 3 == 1 && size <= last_page) {
      EXPECT_FALSE(by_sqlite(healthy.substr(0, size))) << size;
    }
  }
}

// Files beyond the size up to which SQLite checks everything.
TEST_F(DataPages, DamagedArcsOfLargeFilesAreFound) {
  CoverageData data;
  for (int32_t i = 1; i <= 20'000; ++i) data.add_arc(i % 2 ? "/a.py" : "/b.py", {i, 100'000 + 7 * i});
  write_data(path("data"), data);
  const std::string healthy = read("data");
  ASSERT_GT(healthy.size(), size_t{1} << 19);
  ASSERT_TRUE(by_pages(healthy).has_value());
  const CoverageData expected = read_data(path("data"), true);
  int found = 0, same = 0;
  for (size_t end = 4096; end <= healthy.size(); end += size_t{3} * 4096) {
    std::string bytes = healthy;
    bytes[end - 1] ^= 4;  // the last byte of the row that was written first to this page
    write("data", bytes);
    try {
      EXPECT_TRUE(same_data(read_data(path("data"), true), expected)) << end;
      ++same;
    } catch (const DataError&) {
      ++found;
    }
  }
  EXPECT_GT(found, same);
}

TEST_F(DataPages, LinesOfAnotherFileAreFoundInLargeFiles) {
  CoverageData data;
  for (int32_t i = 1; i <= 20'000; ++i) data.add_line("/" + std::to_string(i) + ".py", i % 50 + 1);
  data.add_line("/last.py", 8 * 500);
  write_data(path("data"), data);
  std::string bytes = read("data");
  ASSERT_GT(bytes.size(), size_t{1} << 19);
  ASSERT_TRUE(by_pages(bytes).has_value());
  // The last file has the number 20,001, which stands before its lines.
  const size_t row = bytes.find("\x4e\x21" + std::string(500, '\0') + '\1');
  ASSERT_NE(row, std::string::npos);
  bytes[row + 1] ^= 4;
  write("data", bytes);
  EXPECT_THAT(::qd::testing::message_of<DataError>([&] { read_data(path("data"), true); }),
              ::testing::HasSubstr("it is damaged"));
}

TEST_F(DataPages, DamagedFilesAreReadAsSqliteReadsThem) {
  std::mt19937 die(1);
  int usable = 0;
  for (bool arcs : {false, true}) {
    const std::string healthy = written(arcs);
    for (int i = 0; i < 400; ++i) {
      std::string bytes = healthy;
      for (unsigned flips = 1 + die() % 3; flips > 0; --flips)
        bytes[die() % bytes.size()] ^= static_cast<char>(1 << die() % 8);
      std::optional<CoverageData> pages = by_pages(bytes);
      if (!pages) continue;
      std::optional<CoverageData> sqlite = by_sqlite(bytes);
      if (!sqlite) continue;
      EXPECT_TRUE(same_data(*pages, *sqlite)) << i;
      ++usable;
    }
  }
  EXPECT_GT(usable, 100);
}

}  // namespace
}  // namespace qd::report
