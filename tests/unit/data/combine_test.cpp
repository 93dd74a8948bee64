#include "report/data/combine.h"

#include <gmock/gmock.h>

#include "tests/unit/data/same_data.h"
#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

using ::qd::testing::message_of;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class Combine : public ::qd::testing::ScratchFolder {
 protected:
  void put(const std::string& name, std::initializer_list<int32_t> lines, bool arcs = false) {
    CoverageData data;
    for (int32_t line : lines) arcs ? data.add_arc("a.py", {-1, line}) : data.add_line("a.py", line);
    write_data(path(name), data);
  }
  CombineOptions options(std::vector<std::string> names = {}) {
    CombineOptions result;
    result.data_file = path(".coverage");
    for (const std::string& name : names) result.paths.push_back(path(name));
    result.warn = [this](const std::string& message) { warnings_.push_back(message); };
    return result;
  }
  std::vector<int32_t> lines() { return read_data(path(".coverage")).files["a.py"].executed_lines().lines(); }

  std::vector<std::string> warnings_;
};

TEST_F(Combine, TakesPartsOfBothKindsAndDeletesThem) {
  put(".coverage.x", {1});
  put("_qd_kcov.77", {2});
  put(".coverage", {9});
  write("other", "");
  write(".coverage.x-journal", "");
  EXPECT_EQ(combine_data(options()).message(), "Combined 2 files");
  EXPECT_THAT(lines(), ElementsAre(1, 2));
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage", "other", ".coverage.x-journal"));
}

TEST_F(Combine, TheOutputAmongTheInputsIsMergedAndStays) {
  put(".coverage", {1});
  put("part", {2});
  EXPECT_EQ(combine_data(options({"part", ".coverage"})).combined, 2u);
  EXPECT_THAT(lines(), ElementsAre(1, 2));
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage"));
}

TEST_F(Combine, AppendKeepsWhatWasThere) {
  put(".coverage", {1});
  put("part", {2});
  CombineOptions append = options({"part"});
  append.append = append.keep = true;
  combine_data(append);
  EXPECT_THAT(lines(), ElementsAre(1, 2));
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage", "part"));
}

TEST_F(Combine, DuplicatesAreSkippedAndDeleted) {
  put("one", {1});
  std::filesystem::copy(path("one"), path("two"));
  EXPECT_EQ(combine_data(options({"one", "two"})).message(), "Combined 1 file, skipped 1");
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage"));
}

TEST_F(Combine, UnreadableInputsAreKeptWithAWarning) {
  put("good", {1});
  write("bad", std::string(200, 'x'));
  EXPECT_EQ(combine_data(options({"good", "bad"})).message(), "Combined 1 file, 1 file errored");
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0], "Couldn't use data file '" + path("bad") + "': file is not a database: (SQLITE_NOTADB)");
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage", "bad"));
}

TEST_F(Combine, AMixtureIsRefusedBeforeAnythingIsDeleted) {
  put(".coverage", {9});
  put("lines", {1});
  put("more", {2}, true);
  EXPECT_EQ(message_of<DataError>([&] { combine_data(options({"lines", "more"})); }),
            "Can't combine branch coverage data with statement data: data file '" + path("more") +
                "' measured branch coverage, but data file '" + path(".coverage") + "' didn't");
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage", "lines", "more"));
  EXPECT_THAT(lines(), ElementsAre(9));
}

TEST_F(Combine, SaysWhenThereIsNothing) {
  EXPECT_EQ(message_of<NoDataError>([&] { combine_data(options()); }), "No data to combine");
  EXPECT_EQ(message_of<NoDataError>([&] { combine_data(options({"gone"})); }),
            "Couldn't combine from non-existent path '" + path("gone") + "'");
  write("bad", std::string(200, 'x'));
  EXPECT_EQ(message_of<NoDataError>([&] { combine_data(options({"bad"})); }), "No usable data files");
  EXPECT_THAT(names(), UnorderedElementsAre("bad"));
}

TEST_F(Combine, AResultThatCannotBeWrittenDeletesNothing) {
  put("part", {1});
  CombineOptions unwritable = options({"part"});
  unwritable.data_file = path("part/.coverage");  // below a file
  EXPECT_THROW(combine_data(unwritable), std::runtime_error);
  EXPECT_THAT(names(), UnorderedElementsAre("part"));
}

TEST_F(Combine, TheOutputUnderAnotherNameIsMergedAndStays) {
  namespace fs = std::filesystem;
  auto check = [&](const char* what, const std::vector<std::string>& inputs) {
    EXPECT_EQ(combine_data(options(inputs)).errored, 0u) << what;
    EXPECT_THAT(lines(), ElementsAre(1, 2)) << what;
    fs::remove_all(path("sub"));
  };
  auto start = [&] {
    for (const char* name : {".coverage", "part", "link", "hard", "real"}) fs::remove(path(name));
    put(".coverage", {1});
    put("part", {2});
  };
  start();
  fs::create_symlink(".coverage", path("link"));
  check("a link to the output", {"link", "part"});
  start();
  fs::create_hard_link(path(".coverage"), path("hard"));
  check("a hard link", {"hard", "part"});
  start();
  fs::create_directory_symlink(".", path("sub"));
  check("through a folder that is a link", {"sub/.coverage", "part"});
  start();
  fs::rename(path(".coverage"), path("real"));
  fs::create_symlink("real", path(".coverage"));
  check("the output is a link", {"real", "part"});
  EXPECT_TRUE(fs::is_symlink(path(".coverage")));
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage", "real"));
}

TEST_F(Combine, DuplicatesByTheHashInTheirNames) {
  EXPECT_EQ(hash_in_name("/x/.coverage.my_host.pid12.Xabc_45x.H0123456789h"), "0123456789");
  for (const char* name :
       {".coverage.my_host.pid12.Xabc_45x.H012345678h", ".coverage.my_host.pid12.Xabc45x.H0123456789h",
        ".coverage.my_host.pid.Xabc_45x.H0123456789h", ".coverage.pid12.Xabc_45x.H0123456789", ".coverage.H0123456789h",
        ".coverage.my_host.pid12.Xabc_45x", "pid12.Xabc_45x.H0123456789h", ""})
    EXPECT_EQ(hash_in_name(name), "") << name;
  put(".coverage.h.pid1.Xabc_45x.H0123456789h", {1});
  put(".coverage.h.pid2.Xabc_46x.H0123456789h", {2});
  put(".coverage.h.pid3.Xabc_47x.H0123456780h", {3});
  EXPECT_EQ(combine_data(options()).message(), "Combined 2 files, skipped 1");
  EXPECT_THAT(lines(), ElementsAre(1, 3));
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage"));
}

TEST_F(Combine, ManyInputsGiveTheSameAsOneAfterAnother) {
  CoverageData expected;
  for (int i = 0; i < 300; ++i) {
    CoverageData data;
    data.add_arc("file" + std::to_string(i % 7), {i, i + 1}, data.context_id("context" + std::to_string(i % 5)));
    data.add_arc("file" + std::to_string(i % 11), {-i, i});
    expected.update(data);
    write_data(path(".coverage." + std::to_string(1000 + i)), data);
  }
  size_t calls = 0;
  CombineOptions with_progress = options();
  with_progress.progress = [&](size_t done, size_t of) {
    EXPECT_EQ(done, ++calls);
    EXPECT_EQ(of, 300u);
  };
  EXPECT_EQ(combine_data(with_progress).combined, 300u);
  EXPECT_EQ(calls, 300u);
  EXPECT_TRUE(same_data(read_data(path(".coverage")), expected));
}

TEST_F(Combine, EraseRemovesPartsOnlyWhenAsked) {
  for (const char* name : {".coverage", ".coverage.x", ".coveragerc"}) write(name, "");
  erase_data(path(".coverage"), false);
  EXPECT_THAT(names(), UnorderedElementsAre(".coverage.x", ".coveragerc"));
  erase_data(path(".coverage"), true);
  EXPECT_THAT(names(), UnorderedElementsAre(".coveragerc"));
}

}  // namespace
}  // namespace qd::report
