// Base commit: asks git for the merge base. A clone in CI often has only the last commit. Then the history is fetched
// in growing steps, or the error names the command that fetches it.
#include "report/diff/base_commit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace qd::report {
namespace {

constexpr const char* kLastCommit = "--depth=1";
constexpr std::array kDeepenSteps = {20, 100, 500, 2500};  // commits; then all of them

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

/// Name of a reference without its folder: "origin/main" for refs/remotes/origin/main, "main" for refs/heads/main.
std::string without_folder(const std::string& name) {
  for (std::string_view folder : {"refs/heads/", "refs/remotes/"})
    if (name.starts_with(folder)) return name.substr(folder.size());
  return name;
}

/// A branch of a remote: origin/main is main of origin. A local name is searched for at the only remote, or at origin.
struct RemoteBranch {
  std::string remote, branch;
};

RemoteBranch remote_branch(const std::string& root, const std::string& full_name) {
  const std::string name = without_folder(full_name);
  std::string remotes = run_git(root, {"remote"}).out;
  if (remotes.empty()) remotes = "origin\n";
  std::string fallback;
  for (size_t at = 0; at < remotes.size();) {
    size_t end = remotes.find('\n', at);
    std::string remote = remotes.substr(at, end - at);
    at = end == std::string::npos ? remotes.size() : end + 1;
    if (name.starts_with(remote + "/") && name.size() > remote.size() + 1 && !full_name.starts_with("refs/heads/"))
      return {remote, name.substr(remote.size() + 1)};
    if (fallback.empty() || remote == "origin") fallback = remote;
  }
  return {fallback, name};
}

std::optional<std::string> merge_base_of(const std::string& root, const std::string& commit) {
  GitOutput found = run_git(root, {"merge-base", commit, "HEAD"});
  if (found.exit_code == 0) return trimmed(found.out).substr(0, trimmed(found.out).find('\n'));
  if (found.exit_code != 1) throw GitError(fmt::format("git can't find the merge base: {}", found.first_error()));
  return std::nullopt;
}

class Finder {
 public:
  Finder(const std::string& root, const BaseOptions& options) : root_(root), options_(options) {}

  BaseCommit find() {
    if (options_.base_sha) {
      const NamedCommit base = find_commit(*options_.base_sha);
      return {base.shown, base.commit};
    }
    const NamedCommit base = find_branch();
    if (!options_.merge_base) return {base.shown, base.commit};
    if (auto found = merge_base_of(root_, base.commit)) return {base.shown, *found};
    if (!is_shallow(root_))
      throw GitError(fmt::format("No merge base: '{}' and HEAD have no common history.", base.shown));
    if (!options_.deepen)
      throw GitError(
          fmt::format("No merge base of '{}' and HEAD in this shallow clone; to get the history: git fetch "
                      "--unshallow, or use --deepen",
                      base.shown));
    return deepened(base);
  }

 private:
  NamedCommit find_commit(const std::string& revision) {
    if (auto commit = named_commit(root_, revision)) return *commit;
    if (options_.deepen && is_whole_id(revision) && fetch(revision, kLastCommit))
      if (auto commit = named_commit(root_, revision)) return *commit;
    throw GitError(
        fmt::format("Unknown commit '{}': git has no commit of that name{}.", revision, hint_of_id(revision)));
  }

  NamedCommit find_branch() {
    const std::optional<std::string>& asked = options_.compare_branch;
    std::vector<std::string> names = {"refs/remotes/origin/main", "refs/heads/main"};
    if (asked) names = {*asked};
    for (const std::string& name : names)
      if (auto commit = named_commit(root_, name)) return *commit;
    if (options_.deepen && fetch(names[0], kLastCommit))
      if (auto commit = named_commit(root_, names[0])) return *commit;
    if (!asked)
      throw GitError(
          "Nothing to compare with: there is neither a branch origin/main nor main; name one with --compare-branch.");
    std::string hint = hint_of_id(*asked);
    if (commit_of(root_, "refs/remotes/origin/" + *asked)) {
      hint = fmt::format("; there is origin/{}", *asked);
    } else if (RemoteBranch remote = remote_branch(root_, *asked); without_folder(*asked) != remote.branch) {
      // A clone of a single branch has no refspec for other branches, so the command has to name the destination.
      hint = fmt::format("; to get it: git fetch {0} {1}:refs/remotes/{0}/{1}", remote.remote, remote.branch);
    }
    throw GitError(fmt::format("Unknown branch '{}': git has no branch, tag or commit of that name{}.", *asked, hint));
  }

  /// Hint with the command that fetches a commit, which a shallow clone may lack.
  std::string hint_of_id(const std::string& revision) const {
    if (!is_whole_id(revision)) return "";
    if (!error_.empty()) return fmt::format(", and the remote does not give it: {}", error_);
    if (!is_shallow(root_)) return "";
    return fmt::format("; to get it: git fetch --depth=1 {} {}", remote_branch(root_, "").remote, revision);
  }

  /// Fetches a branch, a tag or a commit. To deepen the history, also fetches HEAD if the remote has it. A branch or
  /// tag gets its local name.
  bool fetch(const std::string& name, const std::string& how) {
    RemoteBranch remote = remote_branch(root_, name);
    std::string refspec = fmt::format("+refs/heads/{1}:refs/remotes/{0}/{1}", remote.remote, remote.branch);
    if (is_whole_id(name)) refspec = name;
    if (name.starts_with("refs/tags/")) refspec = fmt::format("+{0}:{0}", name);
    const std::vector<std::string> command = {"fetch", "--quiet", "--no-tags", how, remote.remote, refspec};
    std::vector<std::string> with_head = command;
    if (auto head = commit_of(root_, "HEAD"); head && how != std::string_view(kLastCommit)) with_head.push_back(*head);
    GitOutput done = run_git(root_, with_head);
    if (done.exit_code != 0) done = run_git(root_, command);
    error_ = done.first_error();
    return done.exit_code == 0;
  }

  BaseCommit deepened(const NamedCommit& base) {
    const std::string name = base.ref.empty() ? *options_.compare_branch : base.ref;
    auto step = [&](const std::string& how) -> std::optional<std::string> {
      if (!fetch(name, how)) throw GitError(fmt::format("Can't fetch the history of '{}': {}", base.shown, error_));
      auto commit = commit_of(root_, name);
      return commit ? merge_base_of(root_, *commit) : std::nullopt;
    };
    for (int n : kDeepenSteps)
      if (auto found = step(fmt::format("--deepen={}", n))) return {base.shown, *found};
    if (is_shallow(root_))
      if (auto found = step("--unshallow")) return {base.shown, *found};
    throw GitError(fmt::format("No merge base: '{}' and HEAD have no common history.", base.shown));
  }

  const std::string& root_;
  const BaseOptions& options_;
  std::string error_;
};

/// Top of the working tree that git finds without GIT_DIR. A hook, or a shell with old variables, may have GIT_DIR set
/// in a place where git would find the same repository by itself.
std::optional<std::string> top_without_environment(const std::string& folder) {
  if (std::getenv("GIT_DIR") == nullptr || std::getenv("GIT_WORK_TREE") != nullptr) return std::nullopt;
  GitOutput told = run_git(folder, {"rev-parse", "--absolute-git-dir"});
  GitOutput found = run_git(folder, {"rev-parse", "--absolute-git-dir", "--show-toplevel"}, {},
                            {"GIT_DIR", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES"});
  size_t end = found.out.find('\n');
  if (told.exit_code != 0 || found.exit_code != 0 || end == std::string::npos) return std::nullopt;
  std::error_code error;
  if (!std::filesystem::equivalent(trimmed(told.out), found.out.substr(0, end), error)) return std::nullopt;
  return trimmed(found.out.substr(end + 1));
}

/// Whether `root` counts as the top of a working tree only because of GIT_DIR.
bool is_guessed(const std::string& folder, const std::string& root) {
  if (std::getenv("GIT_DIR") == nullptr || std::getenv("GIT_WORK_TREE") != nullptr || top_without_environment(folder))
    return false;
  if (run_git(folder, {"config", "core.worktree"}).exit_code == 0) return false;
  std::filesystem::path repository = trimmed(run_git(folder, {"rev-parse", "--absolute-git-dir"}).out);
  std::error_code error;
  return repository.filename() != ".git" || !std::filesystem::equivalent(repository.parent_path(), root, error);
}

}  // namespace

std::string note_of_environment(const std::string& folder, const std::string& root) {
  if (!is_guessed(folder, root)) return "";
  std::vector<std::string> tracked = split_nul(run_git(root, {"ls-files", "-z"}).out);
  auto is_here = [&](const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(std::filesystem::symlink_status(root + "/" + path, error));
  };
  if (!tracked.empty() && std::none_of(tracked.begin(), tracked.end(), is_here))
    throw GitError(
        fmt::format("GIT_DIR is set, and '{}' has none of the files that git tracks there: set GIT_WORK_TREE to the "
                    "top of the working tree.",
                    root));
  return fmt::format("GIT_DIR is set and GIT_WORK_TREE is not: '{}' is taken for the top of the working tree.", root);
}

std::string top_of_working_tree(const std::string& folder) {
  if (auto found = top_without_environment(folder)) return *found;
  GitOutput top = run_git(folder, {"rev-parse", "--show-toplevel"});
  if (top.exit_code == 0 && !trimmed(top.out).empty()) return trimmed(top.out);
  if (top.err.find("dubious ownership") != std::string::npos) {
    size_t at = top.err.find("git config --global");
    std::string command = at == std::string::npos ? "git config --global --add safe.directory <folder>"
                                                  : top.err.substr(at, top.err.find('\n', at) - at);
    throw GitError(fmt::format("git refuses a repository that belongs to another user; to allow it: {}", command));
  }
  if (top.err.find("not a git repository") != std::string::npos)
    throw GitError("Not a git repository: run qd-cov in the checkout whose changes it shall report on.");
  if (top.err.find("must be run in a work tree") != std::string::npos)
    throw GitError("This git repository has no working tree: run qd-cov in a checkout of it.");
  throw GitError(fmt::format("git can't open the repository: {}", top.first_error()));
}

HeadCommit head_commit(const std::string& folder, const std::string& ignored) {
  std::string top = top_of_working_tree(folder);
  HeadCommit head;
  std::optional<std::string> commit = commit_of(top, "HEAD");
  if (!commit) throw GitError("This repository has no commits yet.");
  head.commit = *commit;
  head.branch = trimmed(run_git(top, {"symbolic-ref", "--quiet", "--short", "HEAD"}).out);
  std::vector<std::string> command = {"status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty"};
  std::error_code error;
  std::string path =
      ignored.empty() ? "" : std::filesystem::weakly_canonical(std::filesystem::path(folder) / ignored, error).string();
  std::string root = std::filesystem::weakly_canonical(top, error).string() + "/";
  std::string here = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error).string() + "/";
  if (here.size() > root.size() && here.starts_with(root)) head.folder = here.substr(root.size());
  if (path.starts_with(root))
    command.insert(command.end(), {"--", ":(top)", ":(top,exclude,literal)" + path.substr(root.size())});
  GitOutput status = run_git(top, command);
  if (status.exit_code != 0)
    throw GitError(fmt::format("git status failed, so the changed files are unknown: {}", status.first_error()));
  head.dirty = !status.out.empty();
  return head;
}

BaseCommit find_base(const std::string& root, const BaseOptions& options) { return Finder(root, options).find(); }

}  // namespace qd::report
