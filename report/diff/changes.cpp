// Changes: asks git for the merge base, and for one diff that is independent of the user's configuration.
#include "report/diff/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <future>

#include "report/analysis/analysis.h"
#include "report/data/file_content.h"
#include "report/diff/diff_file.h"
#include "report/diff/git.h"
#include "report/diff/tree_diff.h"
#include "report/diff/whole_index.h"

namespace qd::report {
namespace {

int32_t count_lines(const std::string& text) {
  auto lines = std::count(text.begin(), text.end(), '\n');
  if (!text.empty() && text.back() != '\n') ++lines;
  return static_cast<int32_t>(lines);
}

std::vector<std::string> untracked_files(const std::string& root) {
  // core.ignoreCase takes a new A.py for a tracked a.py.
  GitOutput listed = run_git(root, {"-c", "core.fsmonitor=false", "-c", "core.ignoreCase=false", "ls-files", "--others",
                                    "--exclude-standard", "-z"});
  if (listed.exit_code != 0) throw GitError(fmt::format("git can't list untracked files: {}", listed.first_error()));
  return split_nul(listed.out);
}

/// Takes out of the untracked files those that are repositories: git lists the folder alone, as "sub/".
std::vector<std::string> take_repositories(std::vector<std::string>& untracked) {
  auto is_file = [](const std::string& path) { return !path.ends_with('/'); };
  const auto first = std::stable_partition(untracked.begin(), untracked.end(), is_file);
  std::vector<std::string> repositories(first, untracked.end());
  untracked.erase(first, untracked.end());
  return repositories;
}

void add_untracked(const std::string& root, std::vector<std::string> untracked, std::vector<ChangedFile>& files) {
  for (std::string& path : untracked) {
    ChangedFile file;
    file.kind = ChangeKind::Untracked;
    file.path = std::move(path);
    std::error_code error;
    file.is_regular = std::filesystem::is_regular_file(std::filesystem::symlink_status(root + "/" + file.path, error));
    std::optional<std::string> text = file.is_regular ? read_bytes(root + "/" + file.path) : std::nullopt;
    file.is_binary = text && !is_python_name(file.path) && looks_binary(*text);
    if (text && !file.is_binary) file.add({1, 0, 1, count_lines(*text)});
    files.push_back(std::move(file));
  }
}

void take_stages_out(const ChangeOptions& options, const std::vector<std::string>& environment, Changes& changes) {
  // White space counts in these two diffs, because lines have to be followed.
  TreeDiff staged{"diff-index", {"--cached", "HEAD"}}, unstaged{"diff-files", {"--ours"}};
  staged.to_working_tree = false;
  staged.environment = unstaged.environment = environment;
  ignore_stages(changes.files, run_diff(changes.root, staged), run_diff(changes.root, unstaged), options.ignore_staged,
                options.ignore_unstaged);
}

/// Submodules at another commit than in the base, or with edits.
std::vector<std::string> changed_submodules(const std::string& root, const std::string& base,
                                            const std::vector<std::string>& submodules) {
  if (submodules.empty()) return {};
  std::vector<std::string> command = {"-c",
                                      "core.fsmonitor=false",
                                      "diff-index",
                                      "--name-only",
                                      "-z",
                                      "--no-renames",
                                      "--no-relative",
                                      "--ignore-submodules=untracked",
                                      base,
                                      "--"};
  for (const std::string& path : submodules) command.push_back(":(literal,top)" + path);
  GitOutput listed = run_git(root, command);
  if (listed.exit_code != 0) throw GitError(fmt::format("git can't compare the submodules: {}", listed.first_error()));
  return split_nul(listed.out);
}

void note_flagged(const std::vector<std::string>& flagged, Changes& changes) {
  std::vector<std::string> changed;
  for (const ChangedFile& file : changes.files)
    if (std::binary_search(flagged.begin(), flagged.end(), file.path)) changed.push_back(file.path);
  if (!changed.empty())
    changes.notes.push_back(
        fmt::format("Changes in {} count, although git is told to ignore {} (assume-unchanged or skip-worktree).",
                    some_names(changed), changed.size() == 1 ? "it" : "them"));
}

/// Whether git may have replacements of objects: in files of their own, in one file for all references, or in a table.
bool may_replace(const std::filesystem::path& repository) {
  std::error_code error;
  if (std::filesystem::exists(repository / "refs" / "replace", error) ||
      std::filesystem::exists(repository / "reftable", error))
    return true;
  return read_bytes((repository / "packed-refs").string()).value_or("").find(" refs/replace/") != std::string::npos;
}

/// Notes that replaced objects are not followed. `git replace`, and grafts before it, substitute objects, such as
/// another base that has the change already.
void note_replaced(Changes& changes) {
  GitOutput found = run_git(changes.root, {"rev-parse", "--git-common-dir"});
  std::filesystem::path repository = found.out.substr(0, found.out.find_last_not_of('\n') + 1);
  if (repository.is_relative()) repository = changes.root / repository;
  if (may_replace(repository)) {
    GitOutput replaced = run_git(changes.root, {"for-each-ref", "--format=%(refname)", "refs/replace"});
    auto n = std::count(replaced.out.begin(), replaced.out.end(), '\n');
    if (n > 0)
      changes.notes.push_back(fmt::format(
          "git replaces {} of this repository ('git replace -l' lists them): the diff uses the real objects.",
          n == 1 ? "an object" : fmt::format("{} objects", n)));
  }
  std::error_code error;
  if (std::filesystem::file_size(repository / "info" / "grafts", error) > 0 && !error)
    changes.notes.push_back("This repository has grafts (.git/info/grafts): the diff uses the real history.");
}

/// Title in diff-cover's form: "main...HEAD, staged and unstaged changes".
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

/// Changes of --diff-file: git is only asked for the top of the working tree, and need not be installed.
Changes read_changes(const ChangeOptions& options) {
  Changes changes;
  try {
    changes.root = top_of_working_tree(options.folder);
    changes.head = commit_of(changes.root, "HEAD").value_or("");
  } catch (const GitError&) {
    changes.root = std::filesystem::absolute(options.folder).lexically_normal().string();
  }
  const bool is_input = *options.diff_file == "-";
  const std::string name = is_input ? "standard input" : *options.diff_file;
  const std::optional<std::string> text = is_input ? read_standard_input() : read_file_or_pipe(*options.diff_file);
  if (!text) throw GitError(fmt::format("Can't read the diff '{}': {}", name, std::strerror(errno)));
  try {
    changes.files = parse_diff_file(*text, changes.root, options.folder);
    check_gaps(changes.root, changes.files);
    check_deleted(changes.root, changes.files);
    if (text->find_first_not_of(" \t\r\n") == std::string::npos)
      changes.notes.push_back(fmt::format("The diff '{}' is empty: nothing changed, unless making it failed.", name));
  } catch (const std::runtime_error& error) {
    throw GitError(fmt::format("{}: {}", name, error.what()));
  }
  changes.title = "changes of " + name;
  if (options.include_untracked && !changes.head.empty()) {
    std::vector<std::string> untracked = untracked_files(changes.root);
    changes.repositories = take_repositories(untracked);
    add_untracked(changes.root, std::move(untracked), changes.files);
  }
  changes.behind_links = behind_links(changes.root, changes.files, {});
  return changes;
}

}  // namespace

std::string some_names(const std::vector<std::string>& names) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

Changes find_changes(const ChangeOptions& options) {
  if (options.diff_file) return read_changes(options);
  Changes changes;
  changes.root = top_of_working_tree(options.folder);
  std::optional<std::string> head = commit_of(changes.root, "HEAD");
  if (!head) throw GitError("This repository has no commits yet: there is nothing to compare with.");
  changes.head = *head;
  std::future<std::vector<std::string>> untracked =
      std::async(std::launch::async, untracked_files, changes.root);  // in parallel: as long as the rest
  BaseCommit base = find_base(changes.root, options.base);
  changes.compare_branch = base.name;
  changes.base_commit = base.commit;
  changes.from_merge_base = options.base.merge_base && !options.base.base_sha;
  changes.title = title_of(options, base.name);
  if (std::string note = note_of_environment(options.folder, changes.root); !note.empty())
    changes.notes.push_back(std::move(note));
  note_replaced(changes);
  WholeIndex index(changes.root);
  TreeDiff diff{"diff-index", {base.commit}, options.ignore_whitespace, options.keep_lines, true, index.environment()};
  changes.files = run_diff(changes.root, diff);
  note_flagged(index.flagged(), changes);
  changes.submodules = changed_submodules(changes.root, base.commit, index.submodules());
  if (options.ignore_staged || options.ignore_unstaged) take_stages_out(options, index.environment(), changes);
  std::vector<std::string> not_tracked = untracked.get();
  changes.repositories = take_repositories(not_tracked);
  if (options.include_untracked)
    add_untracked(changes.root, std::move(not_tracked), changes.files);
  else
    changes.untracked = std::move(not_tracked);
  changes.behind_links = behind_links(changes.root, changes.files,
                                      {options.ignore_staged || options.ignore_unstaged, !options.ignore_unstaged});
  return changes;
}

std::vector<ChangedFile> changes_between(const std::string& folder, const std::string& old_commit,
                                         const std::string& new_commit) {
  TreeDiff diff{"diff-tree", {"-r", "--end-of-options", old_commit, new_commit}};
  diff.to_working_tree = false;
  return run_diff(folder, diff);
}

std::vector<std::string> tracked_files(const std::string& root) {
  GitOutput listed = run_git(root, {"ls-files", "-z"});
  if (listed.exit_code != 0) throw GitError(fmt::format("git can't list its files: {}", listed.first_error()));
  std::vector<std::string> files = split_nul(listed.out);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace qd::report
