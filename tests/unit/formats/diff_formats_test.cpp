// Formats on coverage made by hand: limits, escapes, and that no format loses a file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_formats.h"
#include "report/formats/diff/hunks.h"
#include "report/formats/diff/marks.h"
#include "report/formats/html/python_colors.h"

namespace qd::report {
namespace {

using testing::HasSubstr;
using testing::Not;

const Config kConfig;
const DiffStyle kStyle{kConfig};

/// A file of `n` statements, one a line, all changed; every `nth` of them is missing (0: none).
DiffFile make_file(const std::string& path, int32_t n, int32_t nth, const std::string& text = "x = 1") {
  DiffFile file;
  file.path = path;
  for (int32_t line = 1; line <= n; ++line) {
    bool missing = nth > 0 && line % nth == 0;
    file.source.lines.push_back(text);
    file.source.states.push_back(missing ? LineState::Missing : LineState::Covered);
    file.source.origins.push_back(missing ? kNobody : kHost);
    file.source.first_lines.push_back(line);
    file.changed.push_back(line);
    file.statements.push_back(line);
    if (missing) file.missing.push_back(line);
  }
  return file;
}

DiffCoverage make_coverage(std::vector<DiffFile> files) {
  DiffCoverage coverage;
  coverage.title = "main...HEAD, staged and unstaged changes";
  coverage.compare_branch = "main";
  coverage.base_commit = std::string(40, 'a');
  coverage.head = std::string(40, 'b');
  coverage.files = std::move(files);
  return coverage;
}

size_t count(const std::string& text, const std::string& piece) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(piece, at)) != std::string::npos; at += piece.size()) ++n;
  return n;
}

size_t utf16_units(const std::string& text) {
  size_t n = 0;
  for (unsigned char c : text) n += (c & 0xC0) != 0x80 ? (c >= 0xF0 ? 2 : 1) : 0;
  return n;
}

// Fences and <details> open and close in turn, one within the other.
void expect_well_formed(const std::string& text) {
  bool details = false;
  std::string fence;
  std::regex fence_line("(`{3,})(diff)?");
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    std::smatch match;
    if (std::regex_match(line, match, fence_line)) {
      ASSERT_TRUE(details);
      if (fence.empty()) {
        ASSERT_EQ(match[2], "diff");
        fence = match[1];
      } else if (match[1] == fence) {
        fence.clear();
      }
    } else if (fence.empty() && line.starts_with("<details>")) {
      ASSERT_FALSE(details);
      details = true;
    } else if (fence.empty() && line == "</details>") {
      ASSERT_TRUE(details);
      details = false;
    }
  }
  EXPECT_TRUE(fence.empty());
  EXPECT_FALSE(details);
}

TEST(Markdown, StaysBelowTheLimitOfGitHubAtEverySize) {
  for (int32_t n : {1, 10, 60, 200, 1000, 5000}) {
    std::vector<DiffFile> files;
    for (int32_t i = 0; i < n; ++i)
      files.push_back(make_file(fmt::format("package/module_{:04}.py", i), 40, i % 7 == 0 ? 0 : 2 + i % 5));
    DiffCoverage coverage = make_coverage(std::move(files));
    for (int32_t i = 0; i < n; ++i) {
      coverage.not_measured.push_back(make_file(fmt::format("package/new_{}.py", i), 1, 0));
      coverage.not_measured.back().not_measured = "no data";
    }
    std::string text = diff_markdown(coverage, kStyle);
    EXPECT_LE(utf16_units(text), 65'536u) << n;
    expect_well_formed(text);
    EXPECT_THAT(text, HasSubstr(fmt::format(" Diff coverage: {}%\n", percent(coverage.covered(), coverage.total()))));
    EXPECT_THAT(text, HasSubstr("merge base `aaaaaaaaaa`"));
    // As much as fits is shown: a report that drops things is not far from the limit.
    EXPECT_TRUE(n < 200 || utf16_units(text) > 20'000u) << n;
  }
}

TEST(Markdown, ListsEveryFileOfAChangeOfThreeThousandLines) {
  for (int32_t n : {1, 30, 300, 500}) {
    std::vector<DiffFile> files;
    for (int32_t i = 0; i < n; ++i) {
      std::string path = fmt::format("services/orders/backend/handlers/validation/rules_{:04}.py", i);
      files.push_back(
          make_file(path, 3000 / n, 2, "    result = apply(request.items[index], context=self.context, strict=True)"));
    }
    std::string text = diff_markdown(make_coverage(std::move(files)), kStyle);
    EXPECT_LE(utf16_units(text), 65'536u) << n;
    EXPECT_EQ(count(text, "\n| 🔴 `services/"), static_cast<size_t>(n));
    expect_well_formed(text);
  }
}

TEST(Markdown, OneHugeFile) {
  std::string text = diff_markdown(make_coverage({make_file("huge.py", 60'000, 2)}), kStyle);
  EXPECT_LE(utf16_units(text), 65'536u);
  EXPECT_THAT(text, HasSubstr("30000 missing"));
  expect_well_formed(text);
}

TEST(Markdown, ThePartsWithMostMissingLinesStayLongest) {
  std::vector<DiffFile> files;
  for (int32_t i = 0; i < 600; ++i) files.push_back(make_file(fmt::format("m{:03}.py", i), 60, i == 150 ? 1 : 15));
  std::string text = diff_markdown(make_coverage(std::move(files)), kStyle);
  EXPECT_LT(count(text, "<details>"), 600u);
  EXPECT_THAT(text, HasSubstr("<details><summary>🔴 <code>m150.py</code>"));
}

TEST(Markdown, CodeCannotLeaveItsFenceNorItsCell) {
  DiffFile file = make_file("a|b`<i>.py", 2, 2, "s = '```'  # </details> ````");
  std::string text = diff_markdown(make_coverage({file}), kStyle);
  expect_well_formed(text);
  EXPECT_THAT(text, HasSubstr("| 🔴 ``a\\|b`<i>.py`` |"));
  EXPECT_THAT(text, HasSubstr("\n`````diff\n"));
}

TEST(Summary, IsOneLine) {
  DiffCoverage coverage = make_coverage({make_file("a.py", 8, 8)});
  Numbers overall;
  overall.n_statements = 100;
  overall.n_missing = 26;
  coverage.overall = overall;
  EXPECT_EQ(diff_markdown_summary(coverage, kStyle), "**Diff coverage: 87.5%** · 8 lines, 1 missing · Overall: 74%\n");
  DiffStyle style{kConfig};
  style.threshold = parse_threshold("90");
  style.gates = {{"Diff coverage", "90%", false, false, ""}};
  EXPECT_EQ(diff_markdown_summary(coverage, style),
            "**Diff coverage: 87.5%, below 90%** · 8 lines, 1 missing · Overall: 74%\n");
}

/// Heading of the comment on 8 lines, of which one is missing, with these gates.
std::string heading(std::vector<GateResult> gates, const char* threshold = nullptr) {
  DiffStyle style{kConfig};
  if (threshold != nullptr) style.threshold = parse_threshold(threshold);
  style.gates = std::move(gates);
  const std::string text = diff_markdown(make_coverage({make_file("a.py", 8, 8)}), style);
  const size_t start = text.find("### ");
  return text.substr(start, text.find('\n', start) - start);
}

TEST(Markdown, TheHeadingTellsTheGates) {
  const GateResult below{"Diff coverage", "90%", false, false, ""}, reached{"Diff coverage", "60%", true, false, ""};
  const GateResult branches{"Branches", "80%", false, false, ""}, missing{"Missing", "0", false, false, ""};
  const GateResult fine{"Total", "10%", true, false, ""}, warning{"Branches", "80%", false, true, ""};
  EXPECT_EQ(heading({}), "### 🟡 Diff coverage: 87.5%");
  EXPECT_EQ(heading({below}), "### 🔴 Diff coverage: 87.5%, below 90%");
  EXPECT_EQ(heading({reached}), "### 🟢 Diff coverage: 87.5%, reaches 60%");
  EXPECT_EQ(heading({branches, below}), "### 🔴 Diff coverage: 87.5%, below 90%, Branches below 80%");
  EXPECT_EQ(heading({reached, branches}), "### 🔴 Diff coverage: 87.5%, reaches 60%, but Branches below 80%");
  EXPECT_EQ(heading({below, branches, missing}), "### 🔴 Diff coverage: 87.5%, below 90%, 2 more gates missed");
  EXPECT_EQ(heading({fine}), "### 🟢 Diff coverage: 87.5%, gate reached");
  EXPECT_EQ(heading({fine, fine}), "### 🟢 Diff coverage: 87.5%, all gates reached");
  EXPECT_EQ(heading({fine, warning}), "### 🟢 Diff coverage: 87.5%");
  EXPECT_EQ(heading({{"Diff coverage", "87.51%", false, false, ""}}, "87.51"),
            "### 🔴 Diff coverage: 87.5%, below 87.51%");
}

TEST(Markdown, TheHeadingOfAChangeWithoutLines) {
  DiffStyle style{kConfig};
  const std::string none = " Diff coverage: no lines with coverage information in this diff";
  EXPECT_THAT(diff_markdown(make_coverage({}), style), HasSubstr("### ⚪" + none + "\n"));
  style.gates = {{"Diff coverage", "90%", true, false, ""}};
  EXPECT_THAT(diff_markdown(make_coverage({}), style), HasSubstr("### 🟢" + none + "\n"));
  style.gates.push_back({"Missing", "0", false, false, ""});
  EXPECT_THAT(diff_markdown(make_coverage({}), style), HasSubstr("### 🔴" + none + ", Missing: more than 0\n"));
}

TEST(Markdown, ThePercentageOfTheChangeIsThereOnce) {
  const DiffCoverage coverage = make_coverage({make_file("a.py", 8, 8), make_file("b.py", 8, 4)});
  const std::string text = diff_markdown(coverage, kStyle);
  EXPECT_EQ(count(text, percent(coverage.covered(), coverage.total()) + "%"), 1u) << text;
}

TEST(Marks, BranchesInWords) {
  EXPECT_EQ(never_jumped({24}), "never jumped to line 24");
  EXPECT_EQ(never_jumped({24, 30}), "never jumped to lines 24, 30");
  EXPECT_EQ(never_jumped({-1}), "never jumped to the exit");
  EXPECT_EQ(never_jumped({3, -1}), "never jumped to line 3 or the exit");
  EXPECT_EQ(never_taken({1, 2}), "1 of 2 branches never taken");
  EXPECT_EQ(never_taken({1, 1}), "1 of 1 branch never taken");
}

TEST(Html, AllTextIsEscaped) {
  std::string nasty = "</code></td><script>alert('x')</script>\"&";
  DiffFile file = make_file("<img src=x onerror=\"y\">'.py", 2, 2, "s = 1 # " + nasty);
  DiffCoverage coverage = make_coverage({file});
  coverage.title = nasty;
  coverage.compare_branch = nasty;
  coverage.notes = {nasty};
  coverage.not_measured = {file};
  coverage.not_measured[0].not_measured = nasty;
  std::string text = diff_html(coverage, kStyle);
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("alert('x')")));
  EXPECT_EQ(count(text, "<script"), 2u);
  EXPECT_EQ(count(text, "</script>"), 2u);
  EXPECT_THAT(text, Not(HasSubstr("style=\"")));  // the content security policy would not let it through
  EXPECT_THAT(text, Not(testing::ContainsRegex("(src|href)=\"[^#]")));
  EXPECT_THAT(text, HasSubstr("default-src 'none'; style-src 'sha256-"));
}

TEST(Html, StatesAreTold) {
  DiffFile file = make_file("pkg/a.py", 3, 3);
  file.source.states[1] = LineState::Partial;
  file.source.missing_branches[2] = {3, -1};
  file.missing_branches = file.source.missing_branches;
  file.source.origins[0] = kKernel;
  std::string text = diff_html(make_coverage({file}), kStyle);
  EXPECT_THAT(text, HasSubstr("<tr id=\"pkg/a.py:L3\" class=\"new mis\">"));
  EXPECT_THAT(text, HasSubstr("aria-label=\"missing\""));
  EXPECT_THAT(text, HasSubstr("aria-label=\"partial\""));
  EXPECT_THAT(text, HasSubstr("aria-label=\"ran in a kernel\""));
  EXPECT_THAT(text, HasSubstr("never jumped to line 3 or the exit"));
  EXPECT_THAT(text, HasSubstr("href=\"#pkg/a.py:L3\""));
}

TEST(AllFormats, NothingToReport) {
  for (const DiffFormat& format : diff_formats()) {
    if (std::set<std::string>{"json", "github-annotations", "gitlab", "gcc", "sarif"}.contains(format.name))
      continue;  // lists, which are empty then
    std::string text = format.render(make_coverage({}), kStyle);
    EXPECT_THAT(text, testing::AnyOf(HasSubstr("No lines with coverage information in this diff."),
                                     HasSubstr("no lines with coverage information in this diff")))
        << format.name;
  }
}

TEST(AllFormats, ControlCharactersAreShownNotSent) {
  DiffFile file = make_file("a\033[31m\n.py", 1, 1, "x = '\033]0;title\007'");
  for (const DiffFormat& format : diff_formats()) {
    std::string text = format.render(make_coverage({file}), kStyle);
    EXPECT_EQ(text.find('\033'), std::string::npos) << format.name;
    EXPECT_EQ(text.find('\007'), std::string::npos) << format.name;
  }
}

TEST(Terminal, LongListsWrapBelowTheirColumn) {
  DiffStyle style{kConfig};
  style.width = 90;
  std::string text = diff_terminal(make_coverage({make_file("a.py", 200, 2)}), style);
  size_t start = text.find("2, 4, 6");
  ASSERT_NE(start, std::string::npos);
  size_t column = start - text.rfind('\n', start) - 1;
  size_t next = text.find('\n', start) + 1;
  EXPECT_GT(text.find_first_not_of(' ', next) - next, 30u);
  EXPECT_LT(text.find_first_not_of(' ', next) - next, column);  // bars count bytes, not columns
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    EXPECT_LE(display_width(text.substr(at, end - at)), 92u);
    at = end + 1;
  }
}

TEST(Hunks, MergeAndStayInTheFile) {
  DiffFile file = make_file("a.py", 40, 0);
  file.changed = {2, 9, 30};
  file.statements = {};
  auto pieces = hunks(file, 3);
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[0].first, 1);
  EXPECT_EQ(pieces[0].last, 12);
  EXPECT_EQ(pieces[1].first, 27);
  EXPECT_EQ(pieces[1].last, 33);
  EXPECT_TRUE(missing_hunks(file, 3).empty());
}

TEST(Text, VisibleAndEscaped) {
  EXPECT_EQ(visible("a\tb"), "a       b");
  EXPECT_EQ(visible("é\tb"), "é       b");
  EXPECT_EQ(visible("\001\177\n"), "␁␡␊");
  EXPECT_EQ(visible_but_tabs("a\tb\033"), "a\tb␛");
  EXPECT_EQ(escape_html("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
}

std::string colored(const std::vector<std::string>& lines) {
  auto spans = python_colors(lines);
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) out += color_line(lines[i], spans[i]) + "\n";
  out = std::regex_replace(out, std::regex("<span class=\"(.)\">"), "[$1:");
  return std::regex_replace(out, std::regex("</span>"), "]");
}

TEST(Colors, TokensOfOurParser) {
  EXPECT_EQ(colored({"@qd.kernel(1)  # note", "def f(x: int) -> None:", "    '''a", "  # b'''", "    return x @ 2"}),
            "[f:@][f:qd][f:.][f:kernel]([i:1])  [h:# note]\n"
            "[k:def] [f:f](x: int) -&gt; [k:None]:\n"
            "    [s:&#39;&#39;&#39;a]\n"
            "[s:  # b&#39;&#39;&#39;]\n"
            "    [k:return] x @ [i:2]\n");
}

TEST(Colors, StringsWithMarksOfOtherThings) {
  EXPECT_EQ(colored({"a = 'é # no'  # yes \"", "b = f'{a + 1}#'", "c = (1,  # in", "  2)"}),
            "a = [s:&#39;é # no&#39;]  [h:# yes &quot;]\n"
            "b = [s:f&#39;]{a + [i:1]}[s:#][s:&#39;]\n"
            "c = ([i:1],  [h:# in]\n"
            "  [i:2])\n");
}

TEST(Colors, WhatDoesNotParseIsPlain) { EXPECT_EQ(colored({"def (", "# x"}), "def (\n# x\n"); }

}  // namespace
}  // namespace qd::report
