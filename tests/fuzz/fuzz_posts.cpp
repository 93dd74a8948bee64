// libFuzzer target: any bytes as a post that a stranger's job kept, and as markdown that a stranger wrote. A kept
// post is refused with a message, or it has the form and the bounds of one; tamed markdown looks as before and has
// nothing left that a service acts on.
//
// Run: build/fuzz/tests/fuzz/fuzz_posts -max_len=4096 some_folder tests/fuzz/corpus/posts
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <regex>
#include <stdexcept>
#include <string>

#include "report/services/kept_posts.h"
#include "report/services/markdown_text.h"
#include "tests/fuzz/file_in_memory.h"

using namespace qd::report;
using qd::fuzz::require;

namespace {

constexpr std::string_view kNothing = "\xE2\x80\x8B";

std::string with(std::string text, std::string_view what, std::string_view instead) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += instead.size())
    text.replace(at, what.size(), instead);
  return text;
}
std::string without(std::string text, std::string_view what) { return with(std::move(text), what, ""); }

/// Mentions, references, links, autolinks, images and elements, as GitHub finds them, without those that our own
/// reports are made of.
bool acts(std::string text) {
  if (text.size() > 600) return false;  // the expression is recursive
  // "&#39;" is one of our own: the number in it refers to nothing.
  for (std::string_view own : {"&#39;", "&#124;"})
    text = with(std::move(text), own, "|");  // keeps the text on its two sides apart
  static const std::regex kActing(
      R"(@[A-Za-z0-9]|#[0-9]|\]\(|\]\[|\]:|://|[wW][wW][wW]\.|[gG][hH]-[0-9]|<(?!/?(code|details|summary|sub)>|br/?>)[A-Za-z/!?]|&(?!(amp|lt|gt|quot|#39|#124);)[A-Za-z#])");
  return std::regex_search(text, kActing);
}

void check_markdown(const std::string& text) {
  const std::string tame = tame_markdown(text);
  require(without(tame, kNothing) == without(text, kNothing));
  require(!acts(tame));
  for (size_t most : {size_t{0}, size_t{20}, text.size() / 2, text.size()}) {
    const std::string cut = cut_markdown(text, most, "_cut_");
    require(cut.size() <= most || cut == text);
    if (cut != text && !cut.empty() && cut != "_cut_")
      require(cut.ends_with("\n_cut_\n") && text.starts_with(cut.substr(0, cut.size() - 7)));
  }
}

void check_post(const KeptPost& post) {
  require(post.repository.size() <= 800 && !post.head_sha.empty());  // 200 characters
  if (post.kind == KeptPost::Comment) {
    require(post.pull_request > 0 && post.name.size() <= 64 && !acts(post.body));
    return;
  }
  require(post.payload.size() == 5 && post.payload["output"].size() == 3);
  for (const ServiceJson& one : post.payload["output"]["annotations"]) {
    require(one.size() == 6 && one["start_line"] <= one["end_line"]);
    require(!acts(one["message"]));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const qd::fuzz::TemporaryFolder folder;
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_markdown(text);
  std::ofstream(folder.path() + "/post.json", std::ios::binary | std::ios::trunc) << text;
  try {
    for (const KeptPost& post : read_kept_posts(folder.path())) check_post(post);
  } catch (const std::runtime_error& error) {
    require(error.what()[0] != '\0');
  }
  return 0;
}
