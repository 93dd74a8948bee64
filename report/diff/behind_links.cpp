// Symbolic links in a change. git takes a link for its target path, as one line of text, and files behind a link for
// deleted. Python and compilers read the target itself.
#include "report/diff/behind_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "report/diff/changes.h"
#include "report/diff/data_paths.h"
#include "report/diff/git.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 20'000;  // largest number of files that are looked at behind one link

class Follower {
 public:
  explicit Follower(const std::string& root) : root_(root) {}

  /// `replaces`: another file was at the path of the link.
  void follow(const ChangedFile& link, bool replaces) {
    replaces_ = replaces;
    const std::string path = root_ + "/" + link.path;
    std::error_code error;
    const bool is_link = fs::is_symlink(path, error);
    if (is_link && fs::is_directory(path, error)) {
      n_looked_at_ = 0;
      folders_.clear();
      const size_t n_before = result_.size();
      if (std::string why = walk(link, link.path); !why.empty()) {
        result_.resize(n_before);  // an incomplete list is not used
        LinkedFile unknown{link, false, replaces_, fmt::format("it is a link to a folder {}", why)};
        result_.push_back(std::move(unknown));
      }
    } else if (is_link || fs::is_regular_file(path, error)) {
      add(link, link.path);  // also a dangling link
    }
  }

  /// Adds the files behind a link that replaced a folder of the deleted `file`, or that replaced a submodule, which is
  /// a folder.
  void follow_deleted(const ChangedFile& file) {
    std::error_code error;
    ChangedFile link;
    link.kind = ChangeKind::TypeChanged;
    for (size_t at = file.path.find('/'); at != std::string::npos && link.path.empty();
         at = file.path.find('/', at + 1))
      if (fs::is_symlink(root_ + "/" + file.path.substr(0, at), error)) link.path = file.path.substr(0, at);
    if (link.path.empty() && !file.is_regular && fs::is_symlink(root_ + "/" + file.path, error)) link.path = file.path;
    if (!link.path.empty() && links_.insert(link.path).second) follow(link, true);
  }

  std::vector<LinkedFile> result() && {
    mark_tracked();
    return std::move(result_);
  }

 private:
  /// Adds all files of a folder. Returns the reason when that is not possible: "that can't be read".
  std::string walk(const ChangedFile& link, const std::string& folder) {
    std::error_code error;
    if (!folders_.insert(canonical_path(root_ + "/" + folder)).second) return "";  // a link back to a visited folder
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator at(root_ + "/" + folder, error), end; !error && at != end; at.increment(error)) {
      if (++n_looked_at_ > kMostFiles) return fmt::format("with more than {} files", kMostFiles);
      entries.push_back(*at);
    }
    if (error) return fmt::format("that can't be read: {}", error.message());
    std::sort(entries.begin(), entries.end());
    for (const fs::directory_entry& entry : entries) {
      const std::string name = entry.path().filename().string(), path = folder + "/" + name;
      if (entry.is_directory(error)) {
        if (name.starts_with('.') || name == "__pycache__" || fs::exists(entry.path() / "pyvenv.cfg", error)) continue;
        if (std::string why = walk(link, path); !why.empty()) return why;
      } else if (entry.is_regular_file(error) || entry.is_symlink(error)) {
        add(link, path);
      }
    }
    return "";
  }

  void add(const ChangedFile& link, const std::string& path) {
    if (!paths_.insert(path).second) return;
    LinkedFile one;
    one.replaces = replaces_;
    one.file.kind = link.kind;
    one.file.path = path;
    result_.push_back(std::move(one));
  }

  void mark_tracked() {
    if (result_.empty()) return;
    std::vector<std::string> tracked;
    try {
      tracked = tracked_files(root_);
    } catch (const GitError&) {
      return;  // a diff file needs no repository
    }
    CanonicalPaths canonical;
    const std::string top = canonical(root_) + "/";
    for (LinkedFile& one : result_) {
      const std::string path = canonical(root_ + "/" + one.file.path);
      one.is_tracked = one.unknown.empty() && path.starts_with(top) &&
                       std::binary_search(tracked.begin(), tracked.end(), path.substr(top.size()));
    }
  }

  const std::string& root_;
  size_t n_looked_at_ = 0;
  bool replaces_ = false;
  std::set<std::string> folders_, paths_, links_;
  std::vector<LinkedFile> result_;
};

bool is_moved(const ChangedFile& file) { return file.kind == ChangeKind::Renamed || file.kind == ChangeKind::Copied; }

/// Whether a folder, or a file (a diff file may list a type change as deletion and addition), was at the path.
bool was_there(const std::vector<ChangedFile>& files, const std::string& path) {
  return std::any_of(files.begin(), files.end(), [&](const ChangedFile& file) {
    return file.kind == ChangeKind::Deleted && (file.path == path || file.path.starts_with(path + "/"));
  });
}

}  // namespace

std::vector<LinkedFile> behind_links(const std::string& root, const std::vector<ChangedFile>& files,
                                     const FollowedLinks& which) {
  Follower follower(root);
  std::error_code error;
  for (const ChangedFile& file : files) {
    if (file.kind == ChangeKind::Deleted) continue;
    // A diff file of another tool does not mark a moved link as a link.
    if (file.is_regular && !(is_moved(file) && fs::is_symlink(root + "/" + file.path, error))) continue;
    if (which.only_with_lines && file.added.empty() && !file.is_binary && !is_moved(file)) continue;
    const bool is_new = file.kind == ChangeKind::Added || file.kind == ChangeKind::Untracked;
    follower.follow(file, !is_new || was_there(files, file.path));
  }
  for (const ChangedFile& file : files)
    if (which.uncommitted && file.kind == ChangeKind::Deleted) follower.follow_deleted(file);
  return std::move(follower).result();
}

}  // namespace qd::report
