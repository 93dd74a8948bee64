// Asks git for the merge base and for one diff that no configuration of the user can bend.
#include "report/diff/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "report/analysis/analysis.h"
#include "report/data/file_content.h"
#include "report/diff/diff_file.h"
#include "report/diff/patch.h"
#include "report/diff/stages.h"

namespace qd::report {
namespace {

/// `compare` is diff-index or diff-files; `sides` says what is compared with what.
std::vector<std::string> diff_command(const char* compare, bool ignore_whitespace, const std::vector<std::string>& sides, bool keep_lines = false) {
  // Each line answers some configuration or attribute; these commands, unlike diff, read few of them to begin with.
  std::vector<std::string> args = {
      "-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false",
      compare, "--raw", "-p", "-U0", "--inter-hunk-context=0", "--full-index",
      "--find-renames=50%", "-l2000", "--diff-algorithm=myers", "--indent-heuristic",
      "--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "--submodule=short", "--ignore-submodules=dirty",
      "--no-color", "--no-ext-diff", "--no-textconv",
  };
  if (ignore_whitespace) args.emplace_back("--ignore-all-space");
  if (ignore_whitespace && !keep_lines) args.emplace_back("--ignore-blank-lines");
  args.insert(args.end(), sides.begin(), sides.end());
  return args;
}

std::vector<ChangedFile> run_diff(const std::string& root, const std::vector<std::string>& args) {
  GitOutput diff = run_git(root, args);
  if (diff.exit_code != 0) throw GitError(fmt::format("git can't compare the working tree: {}", diff.first_error()));
  return parse_patch(diff.out);
}

// An attribute such as "-diff" makes git call a Python file binary; its lines count all the same.
void read_hidden_lines(const std::string& root, std::vector<std::string> args, std::vector<ChangedFile>& files) {
  std::vector<ChangedFile*> hidden;
  for (ChangedFile& file : files)
    if (file.is_binary && file.is_regular && is_python_name(file.path)) hidden.push_back(&file);
  if (hidden.empty()) return;
  args.insert(std::find(args.begin(), args.end(), "--raw"), "--text");
  args.push_back("--");
  for (const ChangedFile* file : hidden) {
    args.push_back(":(literal,top)" + file->path);
    if (!file->old_path.empty()) args.push_back(":(literal,top)" + file->old_path);
  }
  for (ChangedFile& shown : run_diff(root, args)) {
    for (ChangedFile* file : hidden) {
      if (file->path != shown.path) continue;
      file->spans = std::move(shown.spans);
      file->added = std::move(shown.added);
      file->removed_after = std::move(shown.removed_after);
      file->is_binary = false;
    }
  }
}

int32_t count_lines(const std::string& path) {
  std::string text = read_bytes(path).value_or("");
  auto lines = std::count(text.begin(), text.end(), '\n');
  if (!text.empty() && text.back() != '\n') ++lines;
  return static_cast<int32_t>(lines);
}

void add_untracked(const std::string& root, std::vector<ChangedFile>& files) {
  GitOutput listed = run_git(root, {"ls-files", "--others", "--exclude-standard", "-z"});
  if (listed.exit_code != 0) throw GitError(fmt::format("git can't list untracked files: {}", listed.first_error()));
  for (size_t at = 0; at < listed.out.size();) {
    size_t end = listed.out.find('\0', at);
    ChangedFile file;
    file.kind = ChangeKind::Untracked;
    file.path = listed.out.substr(at, end - at);
    at = end == std::string::npos ? listed.out.size() : end + 1;
    if (is_python_name(file.path)) {
      file.add({1, 0, 1, count_lines(root + "/" + file.path)});
    }
    files.push_back(std::move(file));
  }
}

void take_stages_out(const ChangeOptions& options, Changes& changes) {
  // White space counts here: the lines have to be followed.
  std::vector<std::string> staged = diff_command("diff-index", false, {"--cached", "HEAD"});
  std::vector<std::string> unstaged = diff_command("diff-files", false, {"--ours"});
  std::vector<ChangedFile> staged_files = run_diff(changes.root, staged), unstaged_files = run_diff(changes.root, unstaged);
  read_hidden_lines(changes.root, staged, staged_files);
  read_hidden_lines(changes.root, unstaged, unstaged_files);
  ignore_stages(changes.files, staged_files, unstaged_files, options.ignore_staged, options.ignore_unstaged);
}

/// "main...HEAD, staged and unstaged changes", as diff-cover has it.
std::string title_of(const ChangeOptions& options, const std::string& base) {
  std::vector<std::string> parts;
  if (!options.ignore_staged) parts.push_back("staged");
  if (!options.ignore_unstaged) parts.push_back("unstaged");
  if (options.include_untracked) parts.push_back("untracked");
  std::string title = fmt::format("{}{}HEAD", base, options.base.base_sha || !options.base.merge_base ? ".." : "...");
  for (size_t i = 0; i + 1 < parts.size(); ++i) title += ", " + parts[i];
  if (!parts.empty()) title += fmt::format(" and {} changes", parts.back());
  return title;
}

/// The changes of --diff-file: git is asked for the top of the working tree alone, and need not be there.
Changes read_changes(const ChangeOptions& options) {
  Changes changes;
  try {
    changes.root = top_of_working_tree(options.folder);
    changes.head = commit_of(changes.root, "HEAD").value_or("");
  } catch (const GitError&) {
    changes.root = std::filesystem::absolute(options.folder).lexically_normal().string();
  }
  std::ifstream in(*options.diff_file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw GitError(fmt::format("Can't read the diff '{}': {}", *options.diff_file, std::strerror(errno)));
  try {
    changes.files = parse_diff_file(text, changes.root, options.folder);
  } catch (const std::runtime_error& error) {
    throw GitError(fmt::format("{}: {}", *options.diff_file, error.what()));
  }
  changes.title = "changes of " + *options.diff_file;
  if (options.include_untracked && !changes.head.empty()) add_untracked(changes.root, changes.files);
  return changes;
}

}  // namespace

Changes find_changes(const ChangeOptions& options) {
  if (options.diff_file) return read_changes(options);
  Changes changes;
  changes.root = top_of_working_tree(options.folder);
  std::optional<std::string> head = commit_of(changes.root, "HEAD");
  if (!head) throw GitError("This repository has no commits yet: there is nothing to compare with.");
  changes.head = *head;
  BaseCommit base = find_base(changes.root, options.base);
  changes.compare_branch = base.name;
  changes.base_commit = base.commit;
  changes.from_merge_base = options.base.merge_base && !options.base.base_sha;
  changes.title = title_of(options, base.name);
  std::vector<std::string> args = diff_command("diff-index", options.ignore_whitespace, {base.commit}, options.keep_lines);
  changes.files = run_diff(changes.root, args);
  read_hidden_lines(changes.root, args, changes.files);
  if (options.ignore_staged || options.ignore_unstaged) take_stages_out(options, changes);
  if (options.include_untracked) add_untracked(changes.root, changes.files);
  return changes;
}

std::vector<ChangedFile> changes_between(const std::string& folder, const std::string& old_commit, const std::string& new_commit) {
  return run_diff(folder, diff_command("diff-tree", false, {"-r", "--end-of-options", old_commit, new_commit}));
}

std::vector<std::string> tracked_files(const std::string& root) {
  GitOutput listed = run_git(root, {"ls-files", "-z"});
  if (listed.exit_code != 0) throw GitError(fmt::format("git can't list its files: {}", listed.first_error()));
  std::vector<std::string> files;
  for (size_t at = 0; at < listed.out.size();) {
    size_t end = listed.out.find('\0', at);
    files.push_back(listed.out.substr(at, end - at));
    at = end == std::string::npos ? listed.out.size() : end + 1;
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace qd::report
