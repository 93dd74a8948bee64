// Tree diff: the arguments of git, each of which overrides one of its settings; then the files whose lines git would
// not show, or not in their present form.
#include "report/diff/tree_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "report/analysis/analysis.h"
#include "report/data/file_content.h"
#include "report/diff/git.h"
#include "report/diff/line_tracker.h"
#include "report/diff/patch.h"

namespace qd::report {
namespace {

constexpr size_t kMaxTable = 16'000'000;

std::vector<std::string> command_of(const TreeDiff& diff) {
  // Each line overrides a setting or an attribute. These commands, unlike `git diff`, read few of them anyway.
  std::vector<std::string> args = {
      "-c",
      "core.quotePath=false",
      "-c",
      "diff.suppressBlankEmpty=false",
      "-c",
      "core.fsmonitor=false",
      "-c",
      "core.checkStat=default",
      "-c",
      "core.trustctime=true",
      diff.command,
      "--raw",
      "-p",
      "-U0",
      "--inter-hunk-context=0",
      "--full-index",
      "--find-renames=50%",
      "-l2000",
      "--diff-algorithm=myers",
      "--indent-heuristic",
      "--src-prefix=a/",
      "--dst-prefix=b/",
      "--no-relative",
      "--submodule=short",
      "--ignore-submodules=dirty",
      "--no-color",
      "--no-ext-diff",
      "--no-textconv",
  };
  if (diff.ignore_whitespace) args.emplace_back("--ignore-all-space");
  if (diff.ignore_whitespace && !diff.keep_lines) args.emplace_back("--ignore-blank-lines");
  args.insert(args.end(), diff.sides.begin(), diff.sides.end());
  return args;
}

std::string output_of(const std::string& root, const std::vector<std::string>& args, const TreeDiff& diff) {
  GitOutput output = run_git(root, args, {}, diff.environment);
  if (output.exit_code != 0)
    throw GitError(fmt::format("git can't compare the working tree: {}", output.first_error()));
  return output.out;
}

/// Output of the same diff for some files only, with their content taken for text.
std::string text_of(const std::string& root, const TreeDiff& diff, const std::vector<ChangedFile*>& files,
                    const char* context) {
  std::vector<std::string> args = command_of(diff);
  *std::find(args.begin(), args.end(), "-U0") = context;
  args.insert(std::find(args.begin(), args.end(), "--raw"), "--text");
  args.push_back("--");
  for (const ChangedFile* file : files) {
    args.push_back(":(literal,top)" + file->path);
    if (!file->old_path.empty()) args.push_back(":(literal,top)" + file->old_path);
  }
  return output_of(root, args, diff);
}

bool is_text(const std::string& path) {
  std::optional<std::string> bytes = read_bytes(path);
  return bytes && !looks_binary(*bytes);
}

// Lines of files that an attribute such as "-diff", or core.bigFileThreshold, makes binary for git; they count all the
// same.
void read_hidden_lines(const std::string& root, const TreeDiff& diff, std::vector<ChangedFile>& files) {
  std::vector<ChangedFile*> hidden;
  for (ChangedFile& file : files)
    if (file.is_binary && file.is_regular && file.kind != ChangeKind::Deleted &&
        (is_python_name(file.path) || is_text(root + "/" + file.path)))
      hidden.push_back(&file);
  if (hidden.empty()) return;
  for (ChangedFile& shown : parse_patch(text_of(root, diff, hidden, "-U0"))) {
    for (ChangedFile* file : hidden) {
      if (file->path != shown.path) continue;
      file->spans = std::move(shown.spans);
      file->added = std::move(shown.added);
      file->removed_after = std::move(shown.removed_after);
      file->is_binary = false;
    }
  }
}

/// Returns those of the paths that have a filter.
std::vector<std::string> filtered_paths(const std::string& root, const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  std::string input;
  for (const std::string& path : paths) input += path + '\0';
  GitOutput answer = run_git(root, {"check-attr", "-z", "--stdin", "filter"}, input);
  if (answer.exit_code != 0) throw GitError(fmt::format("git can't read its attributes: {}", answer.first_error()));
  std::vector<std::string> parts = split_nul(answer.out);  // path, attribute, value
  std::vector<std::string> filtered;
  for (size_t i = 0; i + 2 < parts.size(); i += 3)
    if (parts[i + 2] != "unspecified" && parts[i + 2] != "unset") filtered.push_back(parts[i]);
  return filtered;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::string_view line : split_lines(text)) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

// git compares the text that the filter makes of a file. A diff with all lines as context has that text.
void follow_filters(const std::string& root, const TreeDiff& diff, std::vector<ChangedFile>& files) {
  std::map<std::string, ChangedFile*> asked;
  std::vector<std::string> paths;
  for (ChangedFile& file : files)
    if (file.kind != ChangeKind::Deleted && file.is_regular && !file.spans.empty()) {
      asked.emplace(file.path, &file);
      paths.push_back(file.path);
    }
  std::vector<ChangedFile*> filtered;
  for (const std::string& path : filtered_paths(root, paths)) filtered.push_back(asked.at(path));
  if (filtered.empty()) return;
  std::map<std::string, std::vector<std::string>> texts;
  parse_patch(text_of(root, diff, filtered, "-U1000000000"),
              [&](const ChangedFile& file, int32_t, std::string_view text) {
                if (text.ends_with('\r')) text.remove_suffix(1);
                texts[file.path].emplace_back(text);
              });
  for (ChangedFile* file : filtered) {
    std::optional<std::string> bytes = read_bytes(root + "/" + file->path);
    if (!bytes) continue;
    if (std::vector<std::string> lines = lines_of(*bytes); lines != texts[file->path])
      follow_filter(texts[file->path], lines, *file);
  }
}

/// Diff of two lists of lines, by the longest common subsequence of the lines between their common beginning and their
/// common end. When there are too many lines for a table, none of these are in common.
std::vector<ChangedSpan> spans_between(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  size_t head = 0, tail = 0, least = std::min(a.size(), b.size());
  while (head < least && a[head] == b[head]) ++head;
  while (head + tail < least && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  size_t n = a.size() - head - tail, m = b.size() - head - tail, width = m + 1;
  ChangedFile result;
  auto add = [&](size_t i, size_t i_end, size_t j, size_t j_end) {
    result.add({static_cast<int32_t>(head + i) + 1, static_cast<int32_t>(i_end - i), static_cast<int32_t>(head + j) + 1,
                static_cast<int32_t>(j_end - j)});
  };
  size_t i = 0, j = 0;  // start of the present difference
  if ((n + 1) * width <= kMaxTable) {
    std::vector<int32_t> best((n + 1) * width, 0);  // [i, j]: longest common subsequence of a from i and b from j
    for (size_t p = n; p-- > 0;)
      for (size_t q = m; q-- > 0;)
        best[p * width + q] = a[head + p] == b[head + q] ? best[(p + 1) * width + q + 1] + 1
                                                         : std::max(best[(p + 1) * width + q], best[p * width + q + 1]);
    for (size_t p = 0, q = 0; p < n && q < m;) {
      if (a[head + p] == b[head + q]) {
        add(i, p, j, q);
        i = ++p;
        j = ++q;
      } else if (best[(p + 1) * width + q] >= best[p * width + q + 1]) {
        ++p;
      } else {
        ++q;
      }
    }
  }
  add(i, n, j, m);
  return result.spans;
}

}  // namespace

bool looks_binary(const std::string& bytes) {
  constexpr size_t kLooked = 8000;
  return bytes.substr(0, kLooked).find('\0') != std::string::npos;
}

void follow_filter(const std::vector<std::string>& filtered, const std::vector<std::string>& file,
                   ChangedFile& change) {
  const std::vector<ChangedSpan> filter = spans_between(filtered, file);
  const LineTracker by_filter(filter), by_change(change.spans);
  auto is_added = [&](int32_t line) { return std::binary_search(change.added.begin(), change.added.end(), line); };
  const auto n = static_cast<int32_t>(file.size());
  // [line of the file] -> old line; 0 for none; one more line for the end.
  const auto n_filtered = static_cast<int32_t>(filtered.size());
  std::vector<int32_t> old_lines(static_cast<size_t>(n) + 2, 0);
  std::vector<int32_t> added, removed_after;
  for (int32_t line = 1; line <= n; ++line) {
    std::optional<int32_t> middle = by_filter.old_line(line);
    std::optional<int32_t> old = middle ? by_change.old_line(*middle) : std::nullopt;
    old_lines[static_cast<size_t>(line)] = old.value_or(0);
    if (middle && is_added(*middle)) added.push_back(line);
  }
  for (const ChangedSpan& span : filter) {
    bool any = false;
    for (int32_t line = span.old_first; line < span.old_first + span.n_old; ++line) any = any || is_added(line);
    for (int32_t i = 0; any && i < span.n_new; ++i) added.push_back(span.new_first + i);
  }
  for (int32_t line : change.removed_after) {
    int32_t at = line;
    while (at > 0 && !by_filter.new_line(at)) --at;
    removed_after.push_back(at == 0 ? 0 : *by_filter.new_line(at));
  }
  std::sort(added.begin(), added.end());
  old_lines.back() = by_change.old_line(n_filtered + 1).value_or(0);
  ChangedFile composed;
  int32_t next_old = 1, next_new = 1;
  for (int32_t line = 1; line <= n + 1; ++line) {
    int32_t old = old_lines[static_cast<size_t>(line)];
    if (old == 0) continue;
    composed.add({next_old, old - next_old, next_new, line - next_new});
    next_old = old + 1;
    next_new = line + 1;
  }
  change.spans = std::move(composed.spans);
  change.added = std::move(added);
  change.removed_after = std::move(removed_after);
}

bool has_filter(const std::string& root, const std::string& path) { return !filtered_paths(root, {path}).empty(); }

std::vector<ChangedFile> run_diff(const std::string& root, const TreeDiff& diff) {
  std::vector<ChangedFile> files = parse_patch(output_of(root, command_of(diff), diff));
  read_hidden_lines(root, diff, files);
  if (diff.to_working_tree) follow_filters(root, diff, files);
  return files;
}

}  // namespace qd::report
