// Markdown of any text at all: cut text fits, tamed text looks the same.
#include <gtest/gtest.h>

#include <random>

#include "report/services/markdown_text.h"

namespace qd::report {
namespace {

std::string without_width(std::string text) {
  const std::string nothing = "\xE2\x80\x8B";
  for (size_t at = 0; (at = text.find(nothing, at)) != std::string::npos;) text.erase(at, nothing.size());
  return text;
}

std::string random_text(std::minstd_rand& chance) {
  const char* pieces[] = {
      "a",     "\n",  "\n\n", "```", "~~~\n", "<details>", "</details>",       "| a |\n", "|--|\n", "@",    "#1",
      "&#39;", "&x;", "<b",   "]( ", "://",   "www.",      "\xF0\x9F\x94\xB4", "\xFF",    "gh-2",   "<!--", "\\"};
  std::string text;
  for (size_t n = chance() % 60; n > 0; --n) text += pieces[chance() % std::size(pieces)];
  return text;
}

TEST(MarkdownText, CutFits) {
  std::minstd_rand chance(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random_text(chance);
    size_t most = chance() % 100;
    std::string cut = cut_markdown(text, most, "(cut)");
    ASSERT_LE(cut.size(), most);
    if (text.size() <= most) {
      ASSERT_EQ(cut, text);
    } else if (most > 8) {
      ASSERT_TRUE(cut.ends_with("\n(cut)\n"));
      ASSERT_TRUE(text.starts_with(cut.substr(0, cut.size() - 7)));
    }
  }
}

TEST(MarkdownText, TamedLooksTheSameAndStaysTame) {
  std::minstd_rand chance(2);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random_text(chance);
    std::string tamed = tame_markdown(text);
    ASSERT_EQ(without_width(tamed), text);
    for (const char* acts : {"](", "://", "www.", "<b", "<!--", "&x;", "gh-2"})
      ASSERT_EQ(tamed.find(acts), std::string::npos) << text;
    for (size_t at = 0; (at = tamed.find('@', at)) != std::string::npos; ++at)
      ASSERT_EQ(tamed.substr(at + 1, 3), "\xE2\x80\x8B");
  }
}

TEST(MarkdownText, NumbersOfCharactersAreNoReferences) {
  const std::string nothing = "\xE2\x80\x8B";
  EXPECT_EQ(tame_markdown("a &#39; b"), "a &#39; b");
  EXPECT_EQ(tame_markdown("a &#12; b"), "a &" + nothing + "#" + nothing + "12; b");
}

TEST(MarkdownText, OurOwnElementsStay) {
  const std::string ours =
      "<details><summary><code>a&#124;b &lt;c&gt;</code></summary>\n\n```diff\n+  1 if a < b and b > "
      "c:\n```\n\n</details>\n<sub>x</sub>\n";
  EXPECT_EQ(tame_markdown(ours), ours);
  EXPECT_NE(tame_markdown("<details open>"), "<details open>");
}

}  // namespace
}  // namespace qd::report
