// The reader of git's diff, on text that git wrote and on text that it never should.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/diff/diff_coverage.h"
#include "report/diff/patch.h"

namespace qd::report {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kZero(40, '0');

std::string raw(const std::string& modes, const std::string& status, const std::string& names) {
  return ":" + modes + " " + kZero + " " + kZero + " " + status + "\t" + names + "\n";
}

TEST(Patch, HunksGiveTheLinesOfTheNewFile) {
  auto files = parse_patch(raw("100644 100644", "M", "a.py") +
                           "\ndiff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n"
                           "@@ -3 +3,2 @@ def f():\n-x\n+y\n+z\n@@ -7,2 +7,0 @@\n-p\n-q\n@@ -0,0 +20 @@\n+new\n");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].path, "a.py");
  EXPECT_THAT(files[0].added, ElementsAre(3, 4, 20));
  EXPECT_THAT(files[0].removed_after, ElementsAre(7));
  EXPECT_THAT(files[0].spans, ElementsAre(ChangedSpan{3, 1, 3, 2}, ChangedSpan{7, 2, 8, 0}, ChangedSpan{1, 0, 20, 1}));
}

TEST(Patch, ContentIsSkippedByItsCount) {
  auto files =
      parse_patch(raw("100644 100644", "M", "a.py") + raw("100644 100644", "M", "b.py") +
                  "\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
                  "@@ -1,2 +1,3 @@\n--- a/b.py\n-@@ -1 +1 @@\n+++ b/b.py\n+@@ -9 +9 @@\n+diff --git a/b.py b/b.py\n");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_THAT(files[0].added, ElementsAre(1, 2, 3));
  EXPECT_THAT(files[1].added, IsEmpty());
}

TEST(Patch, EndOfFileWithoutNewline) {
  std::string head = raw("100644 100644", "M", "a.py") + "\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n";
  std::string marker = "\\ No newline at end of file\n";
  auto added = [&](const std::string& hunk) { return parse_patch(head + hunk)[0].added; };
  EXPECT_THAT(added("@@ -2 +2,2 @@\n-y\n" + marker + "+y\n+z\n"), ElementsAre(3));
  EXPECT_THAT(added("@@ -2 +2 @@\n-y\n+y\n" + marker), IsEmpty());
  EXPECT_THAT(added("@@ -2 +2 @@\n-y\n" + marker + "+x\n" + marker), ElementsAre(2));
  EXPECT_THAT(added("@@ -2 +2,2 @@\n-y\n" + marker + "+x\n+y\n"), ElementsAre(2));
  EXPECT_THAT(added("@@ -2,3 +2 @@\n-y\n-z\n-w\n" + marker + "+y\n" + marker), IsEmpty());
  EXPECT_THAT(parse_patch(head + "@@ -2,3 +2 @@\n-y\n-z\n-w\n" + marker + "+y\n" + marker)[0].removed_after,
              ElementsAre(2));
  EXPECT_THAT(added("@@ -2,0 +3 @@\n+z\n" + marker), ElementsAre(3));
}

TEST(Patch, KindsModesAndNames) {
  auto files = parse_patch(raw("100644 100755", "R096", "old name.py\t\"n\\303\\251 \\\"w\\\".py\"") +
                           raw("000000 120000", "A", "link.py") + raw("160000 160000", "M", "sub") +
                           raw("100644 000000", "D", "gone.py") + raw("100644 100644", "M", "p.bin") +
                           "\ndiff --git a/p.bin b/p.bin\nindex 1..2\nBinary files a/p.bin and b/p.bin differ\n");
  ASSERT_EQ(files.size(), 5u);
  EXPECT_EQ(files[0].kind, ChangeKind::Renamed);
  EXPECT_EQ(files[0].old_path, "old name.py");
  EXPECT_EQ(files[0].path, "n\303\251 \"w\".py");
  EXPECT_TRUE(files[0].is_regular);
  EXPECT_FALSE(files[1].is_regular);
  EXPECT_FALSE(files[2].is_regular);
  EXPECT_EQ(files[3].kind, ChangeKind::Deleted);
  EXPECT_TRUE(files[4].is_binary);
  EXPECT_FALSE(files[0].is_binary);
}

TEST(Patch, UnquotedPaths) {
  EXPECT_EQ(unquote_path("plain é.py"), "plain é.py");
  EXPECT_EQ(unquote_path("\"a\\tb\\nc\\\\d\\001\""), "a\tb\nc\\d\001");
  EXPECT_EQ(unquote_path("\"\\377\""), "\377");
  EXPECT_EQ(unquote_path("\""), "\"");
}

TEST(Patch, WhatIsNoDiffIsRefused) {
  std::string head = raw("100644 100644", "M", "a.py") + "\ndiff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n";
  for (const char* hunk :
       {"@@ -1 +1 @@\n-x\n", "@@ -1 +1 @@\n+x\n", "@@ nonsense @@\n", "@@ -x +1 @@\n", "@@ -1,a +1 @@\n",
        "@@ +1 -1 @@\n", "@@ -1 +1,3 @@\n-x\n+y\n", "@@ -0,1 +1 @@\n-x\n+y\n", "@@ -1 +0,1 @@\n-x\n+y\n"})
    EXPECT_THROW(parse_patch(head + hunk), std::runtime_error) << hunk;
  EXPECT_THROW(parse_patch(":short\n"), std::runtime_error);
}

TEST(Percent, IsExactAtTheEnds) {
  EXPECT_EQ(percent(0, 0), "100");
  EXPECT_EQ(percent(1, 1), "100");
  EXPECT_EQ(percent(0, 9), "0");
  EXPECT_EQ(percent(9999, 10000), "99.9");
  EXPECT_EQ(percent(1, 10000), "0.1");
  EXPECT_EQ(percent(7, 8), "87.5");
  EXPECT_EQ(percent(2, 3), "66.7");
  EXPECT_EQ(percent(3, 4), "75");
}

}  // namespace
}  // namespace qd::report
