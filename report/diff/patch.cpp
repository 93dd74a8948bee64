// Raw entries give the files and their kinds, the hunks that follow give the lines; both name a file in the same way.
//
//   :100644 100755 <sha> <sha> R066\tf.py\tg.py          raw entries, one a line
//                                                        an empty line
//   diff --git a/f.py b/g.py                             for each file: extended headers,
//   --- a/f.py                                           then, when it has lines, the names
//   +++ b/g.py
//   @@ -2 +2,3 @@ anything                               and hunks; their heads say how many lines to skip
#include "report/diff/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

namespace qd::report {
namespace {

[[noreturn]] void unexpected(std::string_view line) {
  throw std::runtime_error(fmt::format("Can't read git's diff at: {}", line.substr(0, 200)));
}

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }
  std::string_view peek() const { return rest_.substr(0, rest_.find('\n')); }
  std::string_view next() {
    std::string_view line = peek();
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    return line;
  }

 private:
  std::string_view rest_;
};

struct Span {
  int32_t start = 0;
  int32_t count = 1;
};

// "2,3" or "2".
Span parse_span(std::string_view text, std::string_view line) {
  Span span;
  const char* end = text.data() + text.size();
  auto [after, error] = std::from_chars(text.data(), end, span.start);
  if (error != std::errc()) unexpected(line);
  if (after != end && *after == ',') {
    auto [last, count_error] = std::from_chars(after + 1, end, span.count);
    if (count_error != std::errc() || last != end) unexpected(line);
  } else if (after != end) {
    unexpected(line);
  }
  return span;
}

void parse_hunk(Lines& lines, ChangedFile* file) {
  std::string_view head = lines.next();  // @@ -OLD +NEW @@
  size_t old_at = head.find('-');
  size_t new_at = head.find('+');
  size_t end = head.find(" @@", 3);
  if (old_at == std::string_view::npos || new_at == std::string_view::npos || end == std::string_view::npos ||
      old_at > new_at || new_at > end)
    unexpected(head);
  Span old_span = parse_span(head.substr(old_at + 1, new_at - old_at - 2), head);
  Span new_span = parse_span(head.substr(new_at + 1, end - new_at - 1), head);

  std::vector<std::string_view> old_lines;
  std::vector<std::string_view> new_lines;
  auto marker = [&] { return lines.peek().starts_with('\\') && !lines.next().empty(); };
  for (int32_t i = 0; i < old_span.count; ++i) {
    if (!lines.peek().starts_with('-')) unexpected(lines.peek());
    old_lines.push_back(lines.next().substr(1));
  }
  bool old_open = marker();  // the last of them ends the file without a line end
  for (int32_t i = 0; i < new_span.count; ++i) {
    if (!lines.peek().starts_with('+')) unexpected(lines.peek());
    new_lines.push_back(lines.next().substr(1));
  }
  bool new_open = marker();
  if (file == nullptr) return;

  auto add = [&](size_t n_old, size_t first, size_t last) {
    int32_t start = new_span.start + static_cast<int32_t>(first);
    if (first == last && n_old > 0) file->removed_after.push_back(new_span.count == 0 ? start : start - 1);
    for (size_t i = first; i < last; ++i) file->added.push_back(start++);
  };
  // A last line without its end is for git another line than the same text with one; it is not another line of source.
  size_t old_same = old_lines.size();
  size_t new_same = new_lines.size();
  if (new_open) {
    auto same = std::find(old_lines.begin(), old_lines.end(), new_lines.back());
    if (same != old_lines.end()) {
      old_same = static_cast<size_t>(same - old_lines.begin());
      new_same = new_lines.size() - 1;
    }
  }
  if (old_open && new_same == new_lines.size()) {
    auto same = std::find(new_lines.rbegin(), new_lines.rend(), old_lines.back());
    if (same != new_lines.rend()) {
      old_same = old_lines.size() - 1;
      new_same = static_cast<size_t>(new_lines.rend() - same) - 1;
    }
  }
  add(old_same, 0, new_same);
  if (old_same < old_lines.size()) add(old_lines.size() - old_same - 1, new_same + 1, new_lines.size());
}

// ":100644 100755 <sha> <sha> R066\tf.py\tg.py"
ChangedFile parse_raw(std::string_view line) {
  ChangedFile file;
  size_t tab = line.find('\t');
  if (tab == std::string_view::npos || tab < 16) unexpected(line);
  std::string_view new_mode = line.substr(8, 6);
  file.is_regular = new_mode.starts_with("100");
  size_t status_at = line.rfind(' ', tab);
  switch (line[status_at + 1]) {
    case 'A': file.kind = ChangeKind::Added; break;
    case 'C': file.kind = ChangeKind::Copied; break;
    case 'D': file.kind = ChangeKind::Deleted; break;
    case 'R': file.kind = ChangeKind::Renamed; break;
    case 'T': file.kind = ChangeKind::TypeChanged; break;
    default: file.kind = ChangeKind::Modified; break;  // M, and U of an unmerged path
  }
  std::string_view names = line.substr(tab + 1);
  size_t second = names.find('\t');
  if (second == std::string_view::npos) {
    file.path = unquote_path(names);
  } else {
    file.old_path = unquote_path(names.substr(0, second));
    file.path = unquote_path(names.substr(second + 1));
  }
  return file;
}

// Name of a "--- " or "+++ " line, without the prefix; a tab follows a name with spaces.
std::string header_path(std::string_view name) {
  if (!name.empty() && name.back() == '\t') name.remove_suffix(1);
  std::string path = unquote_path(name);
  return path == "/dev/null" ? "" : path.substr(std::min<size_t>(2, path.size()));
}

}  // namespace

std::string unquote_path(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  text = text.substr(1, text.size() - 2);
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    char c = text[++i];
    constexpr std::string_view kLetters = "abtnvfr\"\\";
    constexpr std::string_view kMeanings = "\a\b\t\n\v\f\r\"\\";
    if (size_t at = kLetters.find(c); at != std::string_view::npos) {
      result += kMeanings[at];
    } else if (c >= '0' && c <= '3' && i + 2 < text.size()) {
      result += static_cast<char>((c - '0') << 6 | (text[i + 1] - '0') << 3 | (text[i + 2] - '0'));
      i += 2;
    } else {
      result += c;
    }
  }
  return result;
}

std::vector<ChangedFile> parse_patch(std::string_view text) {
  std::vector<ChangedFile> files;
  std::map<std::string, size_t> index;
  Lines lines(text);
  while (!lines.done() && lines.peek().starts_with(':')) {
    ChangedFile file = parse_raw(lines.next());
    // An unmerged path stands there once for each of its versions.
    if (index.emplace(file.path, files.size()).second) files.push_back(std::move(file));
  }
  ChangedFile* current = nullptr;
  while (!lines.done()) {
    std::string_view line = lines.peek();
    if (line.starts_with("@@ ")) {
      parse_hunk(lines, current);
      continue;
    }
    lines.next();
    if (line.starts_with("diff --git ")) {
      current = nullptr;
    } else if (line.starts_with("+++ ")) {
      auto found = index.find(header_path(line.substr(4)));
      // No new name: the file is gone, or it became something else and comes again.
      current = found == index.end() ? nullptr : &files[found->second];
    } else if (line.starts_with("Binary files ") && line.ends_with(" differ")) {
      // "Binary files a/OLD and b/NEW differ": " and " may be part of a name too.
      std::string_view names = line.substr(0, line.size() - 7);
      for (size_t at = names.find(" and "); at != std::string_view::npos; at = names.find(" and ", at + 1)) {
        auto found = index.find(header_path(names.substr(at + 5)));
        if (found != index.end()) files[found->second].is_binary = true;
      }
    }
  }
  return files;
}

}  // namespace qd::report
