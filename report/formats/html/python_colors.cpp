// Colours of Python: turns tokens into coloured spans. Text between tokens that starts with '#' is a comment.
#include "report/formats/html/python_colors.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "report/formats/common/text.h"
#include "runtime/syntax/parse.h"

namespace qd::report {
namespace {

const std::set<std::string_view> kPythonKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield",
};

class Colorer {
 public:
  explicit Colorer(const std::vector<std::string>& lines)
      : lines_(lines), spans_(lines.size()), ends_(lines.size(), 0) {}

  void token(const syntax::Token& token) {
    using syntax::TokenKind;
    char name = 0;
    Names after = Names::Plain;
    switch (token.kind) {
      case TokenKind::Name:
        name = kPythonKeywords.contains(token.text) ? 'k' : names_ == Names::Plain ? char{0} : 'f';
        if (token.text == "def" || token.text == "class") after = Names::Definition;
        if (names_ == Names::Decorator) after = Names::Decorator;
        break;
      case TokenKind::Number: name = 'i'; break;
      case TokenKind::String:
      case TokenKind::FStringStart:
      case TokenKind::FStringMiddle:
      case TokenKind::FStringEnd: name = 's'; break;
      case TokenKind::Op:
        if ((token.text == "@" && line_start_) || (token.text == "." && names_ == Names::Decorator)) {
          name = 'f';
          after = Names::Decorator;
        }
        break;
      case TokenKind::Newline:
      case TokenKind::Indent:
      case TokenKind::Dedent:
      case TokenKind::EndMarker:
        line_start_ = true;
        names_ = Names::Plain;
        return;
    }
    names_ = after;
    line_start_ = false;
    add(token.range, name);
  }

  std::vector<std::vector<ColorSpan>> finish() {
    for (size_t i = 0; i < lines_.size(); ++i) comment(i, static_cast<int32_t>(lines_[i].size()));
    for (auto& spans : spans_)
      std::sort(spans.begin(), spans.end(), [](const ColorSpan& a, const ColorSpan& b) { return a.begin < b.begin; });
    return std::move(spans_);
  }

 private:
  // Tokens come in order, so the text between the last token of a line and the end of the line is a comment, a line
  // join, or blank.
  void comment(size_t i, int32_t end) {
    size_t at = lines_[i].find('#', static_cast<size_t>(ends_[i]));
    if (at != std::string::npos && static_cast<int32_t>(at) < end)
      spans_[i].push_back({static_cast<int32_t>(at), end, 'h'});
  }

  void add(const syntax::Range& range, char name) {
    for (int32_t line = std::max(range.line, 1); line <= range.end_line; ++line) {
      auto i = static_cast<size_t>(line) - 1;
      if (i >= lines_.size()) return;
      auto length = static_cast<int32_t>(lines_[i].size());
      int32_t begin = line == range.line ? range.col : 0;
      int32_t end = line == range.end_line ? std::min(range.end_col, length) : length;
      if (begin < ends_[i] || begin > end) continue;
      ends_[i] = end;
      if (name != 0 && begin < end) spans_[i].push_back({begin, end, name});
    }
  }

  const std::vector<std::string>& lines_;
  std::vector<std::vector<ColorSpan>> spans_;
  std::vector<int32_t> ends_;  // of the last token of each line
  bool line_start_ = true;
  enum class Names { Plain, Decorator, Definition } names_ = Names::Plain;  // kind of a name that comes next
};

}  // namespace

std::vector<std::vector<ColorSpan>> python_colors(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  syntax::ParseResult parsed = syntax::parse(std::move(text));
  if (!parsed.module) return std::vector<std::vector<ColorSpan>>(lines.size());
  Colorer colorer(lines);
  for (const syntax::Token& token : parsed.module->tokens) colorer.token(token);
  return colorer.finish();
}

std::string color_line(const std::string& line, const std::vector<ColorSpan>& spans) {
  std::string result;
  size_t at = 0;
  std::string_view text = line;
  for (const ColorSpan& span : spans) {
    auto begin = static_cast<size_t>(span.begin);
    auto end = static_cast<size_t>(span.end);
    if (begin < at || end > text.size()) continue;
    result += escape_html(visible_but_tabs(text.substr(at, begin - at)));
    result += "<span class=\"";
    result += span.name;
    result += "\">" + escape_html(visible_but_tabs(text.substr(begin, end - begin))) + "</span>";
    at = end;
  }
  return result + escape_html(visible_but_tabs(text.substr(at)));
}

}  // namespace qd::report
