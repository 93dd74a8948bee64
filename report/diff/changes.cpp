// Asks git for the merge base and for one diff that no configuration of the user can bend.
#include "report/diff/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

namespace qd::report {
namespace {

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::string top_of_working_tree(const std::string& folder) {
  GitOutput top = run_git(folder, {"rev-parse", "--show-toplevel"});
  if (top.exit_code == 0 && !trimmed(top.out).empty()) return trimmed(top.out);
  if (top.err.find("dubious ownership") != std::string::npos) {
    size_t at = top.err.find("git config --global");
    std::string command = at == std::string::npos ? "git config --global --add safe.directory <folder>"
                                                  : top.err.substr(at, top.err.find('\n', at) - at);
    throw GitError(fmt::format("git refuses a repository that belongs to another user; to allow it: {}", command));
  }
  if (top.err.find("not a git repository") != std::string::npos)
    throw GitError("Not a git repository: run qd-cov diff in the checkout whose changes it shall report on.");
  if (top.err.find("must be run in a work tree") != std::string::npos)
    throw GitError("This git repository has no working tree: run qd-cov diff in a checkout of it.");
  throw GitError(fmt::format("git can't open the repository: {}", top.first_error()));
}

/// Commit id of a revision, or nothing.
std::optional<std::string> commit_of(const std::string& root, const std::string& revision) {
  GitOutput found = run_git(root, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (found.exit_code != 0) return std::nullopt;
  return trimmed(found.out);
}

struct Base {
  std::string name;
  std::string commit;
};

Base compare_commit(const std::string& root, const std::optional<std::string>& asked) {
  std::vector<std::string> names = {"origin/main", "main"};
  if (asked) names = {*asked};
  for (const std::string& name : names)
    if (auto commit = commit_of(root, name)) return {name, *commit};
  if (!asked)
    throw GitError(
        "Nothing to compare with: there is neither a branch origin/main nor main; name one with --compare-branch.");
  std::string hint;
  if (commit_of(root, "origin/" + *asked)) {
    hint = fmt::format("; there is origin/{}", *asked);
  } else if (asked->starts_with("origin/")) {
    hint = fmt::format("; to get it: git fetch origin {}", asked->substr(7));
  }
  throw GitError(fmt::format("Unknown branch '{}': git has no branch, tag or commit of that name{}.", *asked, hint));
}

std::string merge_base_of(const std::string& root, const Base& base) {
  GitOutput merge_base = run_git(root, {"merge-base", base.commit, "HEAD"});
  if (merge_base.exit_code == 0) return trimmed(merge_base.out).substr(0, trimmed(merge_base.out).find('\n'));
  if (merge_base.exit_code != 1) throw GitError(fmt::format("git can't find the merge base: {}", merge_base.first_error()));
  GitOutput shallow = run_git(root, {"rev-parse", "--is-shallow-repository"});
  if (trimmed(shallow.out) == "true")
    throw GitError(fmt::format("No merge base of '{}' and HEAD in this shallow clone; to get the history: "
                               "git fetch --unshallow",
                               base.name));
  throw GitError(fmt::format("No merge base: '{}' and HEAD have no common history.", base.name));
}

std::vector<std::string> diff_command(const std::string& merge_base, bool ignore_whitespace) {
  // Each line answers some configuration or attribute; diff-index, unlike diff, reads few of them to begin with.
  std::vector<std::string> args = {
      "-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false",
      "diff-index", "--raw", "-p", "-U0", "--inter-hunk-context=0", "--full-index",
      "--find-renames=50%", "-l2000", "--diff-algorithm=myers", "--indent-heuristic",
      "--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "--submodule=short", "--ignore-submodules=dirty",
      "--no-color", "--no-ext-diff", "--no-textconv",
  };
  if (ignore_whitespace) args.insert(args.end(), {"--ignore-all-space", "--ignore-blank-lines"});
  args.push_back(merge_base);
  return args;
}

std::vector<ChangedFile> run_diff(const std::string& root, const std::vector<std::string>& args) {
  GitOutput diff = run_git(root, args);
  if (diff.exit_code != 0) throw GitError(fmt::format("git can't compare the working tree: {}", diff.first_error()));
  return parse_patch(diff.out);
}

bool is_python_name(const std::string& path) { return path.ends_with(".py") || path.ends_with(".pyw"); }

// An attribute such as "-diff" makes git call a Python file binary; its lines count all the same.
void read_hidden_lines(const std::string& root, std::vector<std::string> args, std::vector<ChangedFile>& files) {
  std::vector<ChangedFile*> hidden;
  for (ChangedFile& file : files)
    if (file.is_binary && file.is_regular && is_python_name(file.path)) hidden.push_back(&file);
  if (hidden.empty()) return;
  args.insert(args.end() - 1, "--text");
  args.push_back("--");
  for (const ChangedFile* file : hidden) {
    args.push_back(":(literal,top)" + file->path);
    if (!file->old_path.empty()) args.push_back(":(literal,top)" + file->old_path);
  }
  for (ChangedFile& shown : run_diff(root, args)) {
    for (ChangedFile* file : hidden) {
      if (file->path != shown.path) continue;
      file->added = std::move(shown.added);
      file->removed_after = std::move(shown.removed_after);
      file->is_binary = false;
    }
  }
}

int32_t count_lines(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
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
      int32_t n = count_lines(root + "/" + file.path);
      for (int32_t line = 1; line <= n; ++line) file.added.push_back(line);
    }
    files.push_back(std::move(file));
  }
}

}  // namespace

std::string Changes::title() const {
  return fmt::format("{}...HEAD, {}", compare_branch,
                     include_untracked ? "staged, unstaged and untracked changes" : "staged and unstaged changes");
}

Changes find_changes(const ChangeOptions& options) {
  Changes changes;
  changes.root = top_of_working_tree(options.folder);
  std::optional<std::string> head = commit_of(changes.root, "HEAD");
  if (!head) throw GitError("This repository has no commits yet: there is nothing to compare with.");
  changes.head = *head;
  Base base = compare_commit(changes.root, options.compare_branch);
  changes.compare_branch = base.name;
  changes.merge_base = merge_base_of(changes.root, base);
  changes.include_untracked = options.include_untracked;
  std::vector<std::string> args = diff_command(changes.merge_base, options.ignore_whitespace);
  changes.files = run_diff(changes.root, args);
  read_hidden_lines(changes.root, args, changes.files);
  if (options.include_untracked) add_untracked(changes.root, changes.files);
  return changes;
}

}  // namespace qd::report
