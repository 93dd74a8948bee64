// Patch parser. Raw entries give the files and their kinds, the hunks behind them the lines; both name a file in the
// same way.
//
//   :100644 100755 <sha> <sha> R066\tf.py\tg.py          raw entries, one a line
//                                                        an empty line
//   diff --git a/f.py b/g.py                             for each file: extended headers,
//   --- a/f.py                                           then, when it has lines, the names
//   +++ b/g.py
//   @@ -2 +2,3 @@ anything                               and hunks; their heads say how many lines to skip
#include "report/diff/patch.h"

#include <algorithm>
#include <map>

namespace qd::report {
namespace {

// Raw entry: ":100644 100755 <sha> <sha> R066\tf.py\tg.py"
ChangedFile parse_raw(std::string_view line) {
  ChangedFile file;
  size_t tab = line.find('\t');
  if (tab == std::string_view::npos || tab < 16) throw_unexpected(line);
  size_t status_at = line.rfind(' ', tab);
  if (size_t end = line.find(' ', 15); end < status_at) file.old_id = line.substr(15, end - 15);
  if (file.old_id.find_first_not_of('0') == std::string::npos) file.old_id.clear();  // it had none
  std::string_view mode = line[status_at + 1] == 'D' ? line.substr(1, 6) : line.substr(8, 6);
  file.is_regular = mode.starts_with("100");
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
  if (file.path.empty()) throw_unexpected(line);
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

std::vector<ChangedFile> parse_patch(std::string_view text, const SeenFileLine& seen) {
  std::vector<ChangedFile> files;
  std::map<std::string, size_t> index;
  TextLines lines(text);
  while (!lines.done() && lines.peek().starts_with(':')) {
    ChangedFile file = parse_raw(lines.next());
    // An unmerged path is listed once for each of its versions.
    if (index.emplace(file.path, files.size()).second) files.push_back(std::move(file));
  }
  ChangedFile* current = nullptr;
  std::string old_name;
  while (!lines.done()) {
    std::string_view line = lines.peek();
    if (line.starts_with("@@ ")) {
      if (seen && current != nullptr)
        parse_hunk(lines, current, [&](int32_t line, std::string_view its_text) { seen(*current, line, its_text); });
      else
        parse_hunk(lines, current);
      continue;
    }
    lines.next();
    if (line.starts_with("diff --git ")) {
      current = nullptr;
      old_name.clear();
    } else if (line.starts_with("--- ")) {
      old_name = header_path(line.substr(4));
    } else if (line.starts_with("+++ ")) {
      std::string new_name = header_path(line.substr(4));
      auto found = index.find(new_name.empty() ? old_name : new_name);
      current = found == index.end() ? nullptr : &files[found->second];
      // No new name: the file was deleted, or replaced by one of another type, which follows.
      if (new_name.empty() && current != nullptr && current->kind != ChangeKind::Deleted) current = nullptr;
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
