// libFuzzer target: any bytes as an old and a new source (the second half), through comments, docstrings, their places,
// and the comments that silence.
//
// Run: build/fuzz/tests/fuzz/fuzz_check -max_len=4096 some_folder tests/fuzz/corpus/check
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "report/check/code_alignment.h"
#include "report/check/silence.h"
#include "report/check/source_comments.h"
#include "runtime/syntax/comments.h"
#include "runtime/syntax/parse.h"

using namespace qd;
using namespace qd::report;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_comments(const std::string& text) {
  size_t start = 0;
  int32_t line = 1;
  for (const syntax::Comment& comment : syntax::find_comments(text)) {
    for (; line < comment.line; ++line) start = text.find('\n', start) + 1;
    require(line == comment.line &&
            text.compare(start + static_cast<size_t>(comment.col), comment.text.size(), comment.text) == 0);
    require(comment.text.starts_with('#') && comment.text.find('\n') == std::string::npos);
  }
}

void check(const SourceComments& comments) {
  auto is_code = [&](int32_t line) {
    return std::any_of(comments.code.begin(), comments.code.end(),
                       [&](const CodeLine& code) { return code.line == line; });
  };
  for (const SourceComment& comment : comments.comments) {
    require(comment.first >= 1 && comment.first <= comment.last && comment.last <= std::max(1, comments.n_lines) &&
            !comment.words.empty());
    require(comment.is_docstring ? comments.is_python : comment.anchor == 0 || is_code(comment.anchor));
    Likeness like = likeness(comment, comment);
    require(like.same == like.total);
  }
  for (size_t i = 1; i < comments.code.size(); ++i) require(comments.code[i - 1].line < comments.code[i].line);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string text = syntax::decode_source(bytes), half = syntax::decode_source(bytes.substr(size / 2));
  check_comments(text);
  const SourceComments a = find_source_comments(text), b = find_source_comments(half);
  check(a);
  check(b);
  std::vector<int32_t> map = align_code(a, b, {{1, a.n_lines, 1, b.n_lines}});
  int32_t last = 0;
  for (int32_t line : map) {
    require(line == 0 || (line > last && line <= b.n_lines));
    if (line > 0) last = line;
  }
  for (const Silencer& silencer : find_silencers("a.py", std::string(bytes)))
    require(silencer.line >= 1 && silencer.target >= silencer.line);
  for (const Silencer& silencer : find_silencers("a.cpp", std::string(bytes)))
    require(silencer.line >= 1 && silencer.target >= silencer.line);
  return 0;
}
