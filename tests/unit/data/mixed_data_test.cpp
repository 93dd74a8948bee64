#include <gmock/gmock.h>

#include "report/data/combine.h"
#include "report/data/sqlite.h"
#include "tests/unit/data/same_data.h"
#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

using ::qd::testing::message_of;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class MixedData : public ::qd::testing::ScratchFolder {
 protected:
  static CoverageData lines() {
    CoverageData data;
    data.path = "lines";
    data.add_line("line.py", 3);
    data.add_line("both.py", 4, data.context_id("one"));
    data.add_line("both.py", 9);
    data.files.try_emplace("touched_line.py");
    return data;
  }
  static CoverageData arcs() {
    CoverageData data;
    data.path = "arcs";
    data.add_arc("arc.py", {-1, 2});
    data.add_arc("both.py", {4, 5}, data.context_id("one"));
    data.files.try_emplace("touched_arc.py");
    return data;
  }
  static CoverageData both(bool lines_first) {
    CoverageData data;
    data.update(lines_first ? lines() : arcs(), {}, true);
    data.update(lines_first ? arcs() : lines(), {}, true);
    return data;
  }
};

TEST_F(MixedData, NeedsToBeAskedFor) {
  CoverageData data = lines();
  EXPECT_THROW(data.update(arcs()), DataError);
  EXPECT_TRUE(same_data(data, lines()));
  EXPECT_FALSE(data.is_mixed());
}

TEST_F(MixedData, KnowsWhichFilesHaveBranches) {
  for (bool lines_first : {false, true}) {
    CoverageData data = both(lines_first);
    EXPECT_TRUE(data.is_mixed());
    EXPECT_EQ(data.has_arcs, true);
    std::set<std::string> with_branches;
    for (const auto& [path, file] : data.files)
      if (data.has_branches(file)) with_branches.insert(path);
    EXPECT_THAT(with_branches, UnorderedElementsAre("arc.py", "both.py", "touched_arc.py"));
    EXPECT_THAT(data.files["both.py"].executed_lines().lines(), ElementsAre(4, 5, 9));
    EXPECT_EQ(mixed_note(data),
              "No branch data for line.py, touched_line.py; some lines without branch data in both.py");
  }
  EXPECT_EQ(mixed_note(lines()), "");
  EXPECT_EQ(mixed_note(arcs()), "");
}

TEST_F(MixedData, OnceMixedTakesBothKinds) {
  CoverageData data = both(true);
  data.update(lines());
  data.update(arcs());
  EXPECT_TRUE(same_data(data, both(true)));
  CoverageData other = arcs();
  other.update(both(true));
  EXPECT_TRUE(other.is_mixed());
}

TEST_F(MixedData, IsReadAsItWasWrittenAndIsLineDataToOthers) {
  write_data(path("data"), both(true));
  CoverageData read = read_data(path("data"));
  EXPECT_TRUE(read.is_mixed());
  EXPECT_EQ(mixed_note(read), mixed_note(both(true)));
  for (const auto& [name, file] : both(true).files) {
    EXPECT_EQ(read.files[name].lines_only, file.lines_only) << name;
    EXPECT_EQ(read.files[name].arcs, file.arcs) << name;
    EXPECT_EQ(read.files[name].executed_lines(), file.executed_lines()) << name;
  }
  write_data(path("again"), read);
  EXPECT_TRUE(same_data(read_data(path("again")), read));

  Database database = Database::open_to_read(path("data"));
  Statement rows(database,
                 "SELECT (SELECT value FROM meta WHERE key = 'has_arcs'), (SELECT count(*) FROM arc), (SELECT "
                 "count(DISTINCT file_id) FROM line_bits)");
  ASSERT_TRUE(rows.step());
  EXPECT_EQ(rows.text(0), "0");
  EXPECT_EQ(rows.integer(1), 0);
  EXPECT_EQ(rows.integer(2), 3);
}

TEST_F(MixedData, WithoutLinesOfItsOwnStaysWhatItWas) {
  CoverageData data = arcs(), nothing;
  nothing.files.try_emplace("touched.py");
  data.update(nothing);
  EXPECT_FALSE(data.is_mixed());
}

}  // namespace
}  // namespace qd::report
