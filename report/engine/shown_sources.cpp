// Shown sources. git is asked once, and only for a file whose status there matters.
#include "report/engine/shown_sources.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "report/analysis/analysis.h"
#include "report/diff/git.h"

namespace qd::report {

namespace fs = std::filesystem;

namespace {

std::string without_links(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return error ? "" : real.string();
}

std::string with_slash(const std::string& folder) { return folder.ends_with('/') ? folder : folder + "/"; }

bool is_gits_own(const std::string& real) { return (real + "/").find("/.git/") != std::string::npos; }

/// Whether nothing but the folder of a path can be reached by a link.
bool is_plain_file(const std::string& path) {
  struct stat state{};
  return lstat(path.c_str(), &state) == 0 && S_ISREG(state.st_mode);
}

constexpr const char* kGitsOwn = "it is in git's own folder";

}  // namespace

std::string ShownSources::real_folder(const std::string& folder) const {
  {
    const std::lock_guard lock(mutex_);
    if (auto known = real_folders_.find(folder); known != real_folders_.end()) return known->second;
  }
  const std::string real = without_links(folder);
  const std::lock_guard lock(mutex_);
  return real_folders_.emplace(folder, real).first->second;
}

std::string ShownSources::real_path(const std::string& path) const {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos || !is_plain_file(path)) return without_links(path);
  const std::string folder = real_folder(path.substr(0, slash + 1));
  return folder.empty() ? "" : with_slash(folder) + path.substr(slash + 1);
}

void ShownSources::ask_git() const {
  here_ = without_links(".");
  try {
    GitOutput top = run_git(here_, {"rev-parse", "--show-toplevel"});
    if (top.exit_code != 0) {
      std::error_code error;
      for (fs::path folder = here_;; folder = folder.parent_path()) {
        if (fs::exists(folder / ".git", error)) failure_ = top.first_error();
        if (!failure_.empty() || folder == folder.parent_path()) return;
      }
    }
    top.out.erase(top.out.find_last_not_of('\n') + 1);
    root_ = without_links(top.out);
    const GitOutput files = run_git(root_, {"ls-files", "-z", "--recurse-submodules"});
    if (files.exit_code != 0) failure_ = files.first_error();
    for (std::string& name : split_nul(files.out)) tracked_.insert(std::move(name));
  } catch (const GitError& error) {
    failure_ = error.what();
  }
}

bool ShownSources::tracks(const std::string& real) const {
  const std::string top = with_slash(root_);
  return real.starts_with(top) && tracked_.contains(real.substr(top.size()));
}

std::string ShownSources::why_not(const std::string& path) const {
  const std::string real = real_path(path);
  if (real.empty()) return "";
  if (is_gits_own(real)) return kGitsOwn;
  std::call_once(asked_, [&] { ask_git(); });
  if (!failure_.empty()) return fmt::format("git can't check whether it tracks it: {}", failure_);
  if (!root_.empty()) {
    if (tracks(real)) return "";
    return real.starts_with(with_slash(root_)) ? "git does not track it" : "it is outside of the working tree";
  }
  const std::string here = with_slash(here_);
  if (!real.starts_with(here)) return "it is outside of the current folder";
  const fs::path below = real.substr(here.size());
  const bool dots =
      std::any_of(below.begin(), below.end(), [](const fs::path& part) { return part.string().starts_with('.'); });
  return dots ? "a part of its path begins with a dot" : "";
}

std::string ShownSources::why_not_measured(const std::string& path) const {
  const std::string real = real_path(path);
  if (real.empty()) return "";
  if (is_gits_own(real)) return kGitsOwn;
  if (is_python_name(real)) return "";
  if (fs::path(real).filename().string().starts_with('.')) return "its name begins with a dot";
  std::call_once(asked_, [&] { ask_git(); });
  if (root_.empty() || tracks(real) || !real.starts_with(with_slash(root_))) return "";
  return run_git(root_, {"check-ignore", "-q", "--", real}).exit_code == 0 ? "git ignores it" : "";
}

std::string hidden_text(const std::string& text, const std::string& path, const std::string& why) {
  const auto n = std::count(text.begin(), text.end(), '\n') + (text.empty() || text.ends_with('\n') ? 0 : 1);
  if (n == 0) return text;
  return fmt::format("{}Source not shown: {}.", is_python_name(path) ? "# " : "", why) +
         std::string(static_cast<size_t>(n), '\n');
}

}  // namespace qd::report
