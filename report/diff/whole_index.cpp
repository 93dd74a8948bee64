// Whole index. `git ls-files -v` has a letter before each file: lower case for assume-unchanged, S for skip-worktree.
#include "report/diff/whole_index.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "report/data/signals_wait.h"
#include "report/data/temporary_name.h"
#include "report/diff/git.h"

namespace qd::report {

namespace fs = std::filesystem;

namespace {

/// Throws GitError for an index without most files of HEAD, although they are here: each would be a deleted one. A hook
/// sets GIT_INDEX_FILE, and what it starts may work in another repository.
void check_index(const std::string& root, size_t n_files) {
  GitOutput lacking = run_git(root, {"diff-index", "--cached", "--no-renames", "--no-relative", "--diff-filter=D",
                                     "--name-only", "-z", "HEAD"});
  if (lacking.exit_code != 0)
    throw GitError(fmt::format("git can't compare the working tree: {}", lacking.first_error()));
  std::error_code error;
  const std::vector<std::string> files = split_nul(lacking.out);
  const auto n = static_cast<size_t>(std::count_if(files.begin(), files.end(), [&](const std::string& file) {
    return fs::exists(fs::symlink_status(root + "/" + file, error));
  }));
  if (n > n_files)
    throw GitError(fmt::format("git's index lacks {} files of HEAD that are here, and has {}: {}.", n, n_files,
                               std::getenv("GIT_INDEX_FILE") != nullptr
                                   ? "GIT_INDEX_FILE names that of another repository, or a part"
                                   : "'git reset' reads them into the index"));
}

}  // namespace

WholeIndex::WholeIndex(const std::string& root) {
  GitOutput listed =
      run_git(root, {"-c", "core.fsmonitor=false", "ls-files", "-v", "--stage", "-z"});  // "H 100644 <sha> 0\tf.py"
  if (listed.exit_code != 0)
    throw GitError(fmt::format("git can't compare the working tree: {}", listed.first_error()));
  // A lost index, or GIT_INDEX_FILE with a name of nothing, would make each file of the change a deleted one.
  if (listed.out.empty() && !run_git(root, {"ls-tree", "HEAD"}).out.empty())
    throw GitError("git's index is empty, and HEAD has files: 'git reset' reads them into the index.");
  const std::vector<std::string> entries = split_nul(listed.out);
  check_index(root, entries.size());
  for (const std::string& entry : entries) {
    size_t tab = entry.find('\t');
    if (tab == std::string::npos || tab < 8) continue;
    std::string path = entry.substr(tab + 1);
    if (entry.compare(2, 6, "160000") == 0) {
      submodules_.push_back(std::move(path));
      continue;
    }
    bool is_flagged = entry[0] == 'S' || std::islower(static_cast<unsigned char>(entry[0])) != 0;
    std::error_code error;
    if (is_flagged && fs::exists(fs::symlink_status(root + "/" + path, error))) flagged_.push_back(std::move(path));
  }
  std::sort(flagged_.begin(), flagged_.end());
  if (!flagged_.empty()) copy(root);
}

WholeIndex::~WholeIndex() {
  std::error_code error;
  if (!copy_.empty()) fs::remove(copy_, error);
}

void WholeIndex::copy(const std::string& root) {
  GitOutput found = run_git(root, {"rev-parse", "--git-path", "index"});
  fs::path index = found.out.substr(0, found.out.find_last_not_of('\n') + 1);
  if (found.exit_code != 0 || index.empty())
    throw GitError(fmt::format("git can't tell where its index is: {}", found.first_error()));
  if (index.is_relative()) index = fs::path(root) / index;
  std::string name = (fs::path(temporary_folder()) / "qd-cov-index-XXXXXX").string();
  {
    const SignalsWait until_it_is_named;
    int fd = mkstemp(name.data());
    if (fd < 0) throw GitError(fmt::format("Can't write '{}': {}", name, std::strerror(errno)));
    close(fd);
    copy_ = name;
    gone_on_signal_.emplace(copy_);
  }
  std::error_code error;
  fs::copy_file(index, copy_, fs::copy_options::overwrite_existing, error);
  // Index time is kept: git reads files again that are as new as the index, because they may have changed since.
  if (!error) fs::last_write_time(copy_, fs::last_write_time(index, error), error);
  std::string paths;
  for (const std::string& path : flagged_) paths += path + '\0';
  GitOutput done;
  for (const char* flag : {"--no-assume-unchanged", "--no-skip-worktree"}) {
    if (error) break;
    done = run_git(root,
                   {"-c", "core.fsmonitor=false", "-c", "core.splitIndex=false", "update-index", "-z", flag, "--stdin"},
                   paths, environment());
    if (done.exit_code != 0) break;
  }
  if (!error && done.exit_code == 0) return;
  std::string why = error ? error.message() : done.first_error();
  fs::remove(copy_, error);
  throw GitError(fmt::format("git can't look at '{}', which it is told to leave alone: {}", flagged_[0], why));
}

std::vector<std::string> WholeIndex::environment() const {
  if (copy_.empty()) return {};
  return {"GIT_INDEX_FILE=" + copy_};
}

}  // namespace qd::report
