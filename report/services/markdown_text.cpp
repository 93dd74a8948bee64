// Markdown text, read line by line, and each line character by character.
#include "report/services/markdown_text.h"

#include <algorithm>
#include <array>

#include "report/data/ascii.h"

namespace qd::report {

namespace {

constexpr std::string_view kNothing = "\xE2\x80\x8B";  // U+200B, a zero-width space

constexpr std::array<std::string_view, 10> kElements = {"<code>",     "</code>", "<details>", "</details>", "<summary>",
                                                        "</summary>", "<sub>",   "</sub>",    "<br>",       "<br/>"};
constexpr std::array<std::string_view, 6> kEntities = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&#124;"};

template <size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& starts) {
  return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) { return text.starts_with(start); });
}

bool starts_with_letters(std::string_view text, std::string_view letters) {
  return std::ranges::equal(text.substr(0, letters.size()), letters, same_letter);
}

/// Offset in `rest` at which a zero-width space prevents the effect of its beginning, such as a mention; 0 when it has
/// none.
size_t split_at(std::string_view rest) {
  auto next = [&](size_t i) { return i < rest.size() ? rest[i] : '\0'; };
  switch (rest[0]) {
    case '@': return 1;
    case '#': return is_digit(next(1)) ? 1 : 0;
    case '&': return is_letter(next(1)) || next(1) == '#' ? (starts_with_any(rest, kEntities) ? 0 : 1) : 0;
    case '<':
      return is_letter(next(1)) || next(1) == '/' || next(1) == '!' || next(1) == '?'
                 ? (starts_with_any(rest, kElements) ? 0 : 1)
                 : 0;
    case ']': return next(1) == '(' || next(1) == '[' || next(1) == ':' ? 1 : 0;
    case ':': return next(1) == '/' && next(2) == '/' ? 1 : 0;
    case 'w':
    case 'W': return starts_with_letters(rest, "www.") ? 3 : 0;
    case 'g':
    case 'G': return starts_with_letters(rest, "gh-") ? 2 : 0;
    default: return 0;
  }
}

/// State of fences and <details> from line to line.
class Structure {
 public:
  void take(std::string_view line) {
    size_t blanks = line.find_first_not_of(' ');
    std::string_view text = blanks == std::string_view::npos ? "" : line.substr(blanks);
    char mark = text.empty() ? '\0' : text[0];
    size_t run = std::min(text.find_first_not_of(mark), text.size());
    bool is_fence = (mark == '`' || mark == '~') && run >= 3 && blanks <= 3;
    if (fence_ > 0) {
      bool closes = is_fence && mark == mark_ && run >= fence_ &&
                    text.find_first_not_of(" \t\r\n", run) == std::string_view::npos;
      if (closes) fence_ = 0;
      return;
    }
    if (is_fence) {
      fence_ = run;
      mark_ = mark;
      return;
    }
    for (size_t at = 0; (at = text.find("<details", at)) != std::string_view::npos; ++at) ++details_;
    for (size_t at = 0; (at = text.find("</details>", at)) != std::string_view::npos; ++at) details_ -= details_ > 0;
  }

  bool open() const { return fence_ > 0 || details_ > 0; }

 private:
  size_t fence_ = 0;  // number of characters of the open fence
  char mark_ = '\0';
  int details_ = 0;
};

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_delimiter_row(std::string_view line) {
  return line.starts_with('|') && line.find_first_not_of("|:- \t\r\n") == std::string_view::npos;
}

}  // namespace

std::string cut_markdown(const std::string& text, size_t most, const std::string& note) {
  if (text.size() <= most) return text;
  const std::string end = "\n" + note + "\n";
  if (most <= end.size()) return most >= note.size() ? note : "";
  Structure structure;
  size_t fits = 0;  // length of the longest beginning that is complete by itself
  bool in_table = false;
  for (size_t at = 0; at < text.size();) {
    size_t stop = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line(text.data() + at, stop - at);
    if (is_blank(line) && !structure.open() && at + end.size() <= most) fits = at;
    structure.take(line);
    in_table = !structure.open() && line.starts_with('|') && (in_table || is_delimiter_row(line));
    // A table can be cut behind a row; its head and the line below it need a row.
    if (in_table && !is_delimiter_row(line) && stop + end.size() <= most) fits = stop;
    at = stop;
    if (at > most) break;
  }
  return text.substr(0, fits) + end;
}

std::string tame_markdown(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t split = split_at(text.substr(i));
    // The number in "&#39;" is no reference to an issue.
    if (text[i] == '#' && i > 0 && starts_with_any(text.substr(i - 1), kEntities)) split = 0;
    if (split == 0) {
      result += text[i];
      continue;
    }
    result += text.substr(i, split);
    result += kNothing;
    i += split - 1;
  }
  return result;
}

}  // namespace qd::report
