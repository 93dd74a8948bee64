#include "report/data/coverage_data.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

using ::qd::testing::message_of;
using ::testing::ElementsAre;

CoverageData line_data(const std::string& file, std::initializer_list<int32_t> lines, const std::string& context = "") {
  CoverageData data;
  data.path = "lines.db";
  for (int32_t line : lines) data.add_line(file, line, data.context_id(context));
  return data;
}

CoverageData arc_data(const std::string& file, std::initializer_list<Arc> arcs, const std::string& context = "") {
  CoverageData data;
  data.path = "arcs.db";
  for (Arc arc : arcs) data.add_arc(file, arc, data.context_id(context));
  return data;
}

TEST(CoverageData, LinesOfArcsAreAllPositiveNumbers) {
  CoverageData data = arc_data("a.py", {{-1, 2}, {2, 9}, {9, -1}});
  EXPECT_THAT(data.files["a.py"].executed_lines().lines(), ElementsAre(2, 9));
}

TEST(CoverageData, KeepsArcsSortedAndUnique) {
  CoverageData data = arc_data("a.py", {{9, -1}, {-1, 2}, {9, -1}, {2, 9}});
  EXPECT_THAT(data.files["a.py"].arcs[0], ElementsAre(Arc{-1, 2}, Arc{2, 9}, Arc{9, -1}));
}

TEST(CoverageData, LinesAndArcsDoNotMix) {
  CoverageData lines = line_data("a.py", {1}), arcs = arc_data("a.py", {{-1, 1}});
  EXPECT_EQ(message_of<DataError>([&] { arcs.add_line("a.py", 1); }),
            "Can't add line measurements to existing branch data");
  EXPECT_EQ(message_of<DataError>([&] { lines.add_arc("a.py", {1, 2}); }),
            "Can't add branch measurements to existing line data");
  EXPECT_EQ(message_of<DataError>([&] { lines.update(arcs); }),
            "Can't combine branch coverage data with statement data: data file 'arcs.db' measured branch coverage, but "
            "data file 'lines.db' didn't");
  EXPECT_EQ(message_of<DataError>([&] { arcs.update(lines); }),
            "Can't combine statement coverage data with branch data: data file 'lines.db' didn't measure branch "
            "coverage, but data file 'arcs.db' did");
}

TEST(CoverageData, UpdateMatchesContextsByName) {
  CoverageData data = line_data("a.py", {1}, "one");
  CoverageData other = line_data("a.py", {2}, "two");
  other.add_line("a.py", 3, other.context_id("one"));
  data.update(other);
  EXPECT_THAT(data.contexts, ElementsAre("", "one", "two"));
  EXPECT_THAT(data.files["a.py"].lines[1].lines(), ElementsAre(1, 3));
  EXPECT_THAT(data.files["a.py"].lines[2].lines(), ElementsAre(2));
}

TEST(CoverageData, UpdateMergesFilesThatAreMappedToOne) {
  CoverageData data, other = line_data("/ci/a.py", {1});
  other.add_line("/home/a.py", 2);
  data.update(other, [](const std::string&) { return "a.py"; });
  ASSERT_EQ(data.files.size(), 1u);
  EXPECT_THAT(data.files["a.py"].executed_lines().lines(), ElementsAre(1, 2));
}

TEST(CoverageData, UpdateThatFailsChangesNothing) {
  CoverageData data = line_data("b.py", {1}), other = line_data("a.py", {2}, "new");
  other.files.try_emplace("b.py");
  other.files["b.py"].tracer = "some.plugin";
  EXPECT_EQ(message_of<DataError>([&] { data.update(other); }),
            "Conflicting file tracer name for 'b.py': '' vs 'some.plugin'");
  EXPECT_EQ(data.files.size(), 1u);
  EXPECT_THAT(data.contexts, ElementsAre(""));
}

TEST(CoverageData, AsLinesKeepsContexts) {
  CoverageData data = arc_data("a.py", {{-1, 2}, {2, 5}}, "qd:cpu").as_lines();
  EXPECT_EQ(data.has_arcs, false);
  EXPECT_THAT(data.files["a.py"].lines[1].lines(), ElementsAre(2, 5));
  EXPECT_TRUE(data.files["a.py"].arcs.empty());
}

class DataFile : public ::qd::testing::ScratchFolder {};

TEST_F(DataFile, ReadsWhatWasWritten) {
  CoverageData data = arc_data("b.py", {{-1, 2}, {2, 9}}, "two");
  data.add_arc("a.py", {1, -1});
  data.files.try_emplace("empty.py");
  data.files["a.py"].tracer = "some.plugin";
  write_data(path("data"), data);

  CoverageData read = read_data(path("data"));
  EXPECT_EQ(read.has_arcs, true);
  EXPECT_THAT(read.contexts, ElementsAre("", "two"));
  ASSERT_EQ(read.files.size(), 3u);
  EXPECT_THAT(read.files["b.py"].arcs[1], ElementsAre(Arc{-1, 2}, Arc{2, 9}));
  EXPECT_THAT(read.files["a.py"].arcs[0], ElementsAre(Arc{1, -1}));
  EXPECT_EQ(read.files["a.py"].tracer, "some.plugin");
  EXPECT_TRUE(read.files["empty.py"].arcs.empty());
  EXPECT_THAT(names(), ElementsAre("data"));
}

TEST_F(DataFile, KeepsArcsOfAnyNumber) {
  for (int32_t n : {1, 63, 64, 65, 127, 128, 200}) {
    CoverageData data;
    for (int32_t i = 0; i < n; ++i)
      data.add_arc(i % 2 ? "a.py" : "b.py", {i + 1, -i}, data.context_id(i % 3 ? "x" : ""));
    write_data(path("data"), data);
    CoverageData read = read_data(path("data"));
    size_t found = 0;
    for (const auto& [name, file] : read.files)
      for (const auto& [context, arcs] : file.arcs) {
        for (const Arc& arc : arcs) {
          EXPECT_EQ(arc.to, 1 - arc.from);
          EXPECT_EQ(name, arc.from % 2 ? "b.py" : "a.py");
          EXPECT_EQ(read.contexts[context], (arc.from - 1) % 3 ? "x" : "");
          ++found;
        }
      }
    EXPECT_EQ(found, static_cast<size_t>(n));
  }
}

TEST_F(DataFile, ErrorsAreCoveragePys) {
  write("text", "this is no database, and longer than the header of one would be: " + std::string(100, 'x'));
  EXPECT_EQ(message_of<DataError>([&] { read_data(path("text")); }),
            "Couldn't use data file '" + path("text") + "': file is not a database: (SQLITE_NOTADB)");
  EXPECT_EQ(message_of<NoDataError>([&] { read_data(path("missing")); }), "No data to report.");
  EXPECT_EQ(message_of<DataError>([&] { write_data(path("text/data"), {}); }),
            "Couldn't use data file '" + path("text/data") + "': unable to open database file: (SQLITE_CANTOPEN)");
}

TEST_F(DataFile, AnEmptyFileIsNoData) {
  write("empty", "");
  CoverageData data = read_data(path("empty"));
  EXPECT_FALSE(data.has_arcs.has_value());
  EXPECT_TRUE(data.files.empty());
}

TEST_F(DataFile, AWriteThatFailsLeavesWhatWasThere) {
  write("kept", "old");
  CoverageData twice = line_data("a.py", {1});
  twice.contexts = {"", "", "x"};  // breaks the schema's uniqueness
  EXPECT_THROW(write_data(path("kept"), twice), DataError);
  EXPECT_EQ(read("kept"), "old");
  EXPECT_THAT(names(), ElementsAre("kept"));
}

TEST_F(DataFile, ACheckThatIsKilledLeavesNoFile) {
  const int file = open(path("").c_str(), O_TMPFILE | O_RDWR, 0600);
  if (file < 0) GTEST_SKIP() << "no O_TMPFILE here";
  close(file);
  const int events = inotify_init1(IN_NONBLOCK);
  ASSERT_GE(inotify_add_watch(events, path("").c_str(), IN_CREATE), 0);
  check_writable(path(".coverage"));
  char event[4096];
  EXPECT_EQ(::read(events, event, sizeof event), -1) << "a file had a name for a while";
  close(events);
}

TEST_F(DataFile, ALinkStaysALink) {
  write("target", "old");
  std::filesystem::create_symlink("target", path("link"));
  write_data(path("link"), line_data("a.py", {1}));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(read_data(path("target")).files.size(), 1u);
}

}  // namespace
}  // namespace qd::report
