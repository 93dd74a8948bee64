// Comparison of a diff file with git. A diff that was cut off between two hunks looks whole: only a comparison with the
// old version finds the gap. A diff of new to old deletes what is new.
#include "report/diff/diff_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "report/data/file_content.h"
#include "report/diff/changes.h"
#include "report/diff/git.h"
#include "report/diff/tree_diff.h"

namespace qd::report {
namespace {

std::string without_blanks(std::string_view line) {
  std::string text;
  for (char c : line)
    if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v') text += c;
  return text;
}

/// Lines first..last-1 that are not empty.
struct Lines {
  std::vector<std::string> texts;
  std::vector<int32_t> numbers;

  Lines(const std::vector<std::string_view>& all, int32_t first, int32_t last) {
    for (int32_t line = first; line < last && static_cast<size_t>(line) <= all.size(); ++line) {
      std::string text = without_blanks(all[static_cast<size_t>(line) - 1]);
      if (text.empty()) continue;
      texts.push_back(std::move(text));
      numbers.push_back(line);
    }
  }
};

/// First line of the new version that differs although it is in no span.
std::optional<int32_t> untold_line(const std::string& old_text, const std::string& new_text,
                                   const std::vector<ChangedSpan>& spans) {
  const std::vector<std::string_view> old_lines = split_lines(old_text), new_lines = split_lines(new_text);
  int32_t old_at = 1, new_at = 1;
  auto compare = [&](int32_t old_end, int32_t new_end) -> std::optional<int32_t> {
    Lines before(old_lines, old_at, old_end), now(new_lines, new_at, new_end);
    auto [was, is] = std::mismatch(before.texts.begin(), before.texts.end(), now.texts.begin(), now.texts.end());
    if (was == before.texts.end() && is == now.texts.end()) return std::nullopt;
    return is == now.texts.end() ? new_end - 1 : now.numbers[static_cast<size_t>(is - now.texts.begin())];
  };
  for (const ChangedSpan& span : spans) {
    if (auto line = compare(span.old_first, span.new_first)) return line;
    old_at = span.old_first + span.n_old;
    new_at = span.new_first + span.n_new;
  }
  return compare(static_cast<int32_t>(old_lines.size()) + 1, static_cast<int32_t>(new_lines.size()) + 1);
}

}  // namespace

void check_gaps(const std::string& root, std::vector<ChangedFile>& files) {
  std::vector<ChangedFile*> known;
  std::vector<std::string> ids;
  for (ChangedFile& file : files) {
    if (file.old_id.find_first_not_of('0') == std::string::npos) file.old_id.clear();
    if (file.old_id.empty() || file.kind == ChangeKind::Deleted || !file.is_regular || file.is_binary) continue;
    known.push_back(&file);
    ids.push_back(file.old_id);
  }
  std::vector<std::optional<std::string>> blobs;
  try {
    blobs = read_blobs(root, ids);
  } catch (const GitError&) {
    return;  // without a repository there is no old version
  }
  for (size_t i = 0; i < known.size(); ++i) {
    std::optional<std::string> now = read_bytes(root + "/" + known[i]->path);
    if (!blobs[i] || !now) continue;
    std::optional<int32_t> line = untold_line(*blobs[i], *now, known[i]->spans);
    if (line && !has_filter(root, known[i]->path))
      throw std::runtime_error(fmt::format(
          "The diff does not tell all that changed in '{}', such as line {}: it is cut off, or of another version.",
          known[i]->path, *line));
  }
}

void check_deleted(const std::string& root, const std::vector<ChangedFile>& files) {
  std::set<std::string> there;
  for (const ChangedFile& file : files)
    if (file.kind != ChangeKind::Deleted) there.insert(file.path);
  std::optional<std::vector<std::string>> tracked;  // a deleted file may have been generated
  try {
    tracked = tracked_files(root);
  } catch (const GitError&) {
    // without a repository, any file may belong to the sources
  }
  for (const ChangedFile& file : files) {
    std::error_code error;
    if (file.kind != ChangeKind::Deleted || there.contains(file.path) ||
        (tracked && !std::binary_search(tracked->begin(), tracked->end(), file.path)) ||
        !std::filesystem::is_regular_file(std::filesystem::symlink_status(root + "/" + file.path, error)))
      continue;
    throw std::runtime_error(
        fmt::format("The diff deletes '{}', which is there: it is of another version, or of new to old.", file.path));
  }
}

}  // namespace qd::report
