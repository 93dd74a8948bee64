// Base configuration. Tracked files come from the commit, untracked ones from the working tree.
#include "cli/reported/base_config.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "report/config/config_file.h"
#include "report/config/glob_matcher.h"
#include "report/config/own_section.h"
#include "report/diff/git.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;
using report::Config;

constexpr const char* kConfigNames[] = {"qd-cov.toml", ".coveragerc", ".coveragerc.toml",
                                        "setup.cfg",   "tox.ini",     "pyproject.toml"};

/// Absolute path `path` relative to the top of the working tree; nothing for one outside of it.
std::optional<std::string> below(const std::string& root, const std::string& path) {
  const std::string top = report::absolute_path(root) + "/";
  return path.starts_with(top) ? std::optional(path.substr(top.size())) : std::nullopt;
}

/// Content of a path in a commit. Links of the commit lead to its own files.
struct CommittedFile {
  std::optional<std::string> text;
  bool leads_away = false;  // a link to a file that the commit does not have
};

CommittedFile file_of(const std::string& root, const std::string& commit, const std::string& path) {
  const report::GitOutput answer =
      report::run_git(root, {"cat-file", "--batch", "--follow-symlinks"}, commit + ":" + path + "\n");
  const size_t end = answer.out.find('\n');
  if (answer.exit_code != 0 || end == std::string::npos) return {};
  const std::string head = answer.out.substr(0, end);  // ID blob SIZE
  for (const char* kind : {"symlink ", "dangling ", "loop ", "notdir "})
    if (head.starts_with(kind)) return {std::nullopt, true};
  const size_t kind = head.find(" blob ");
  if (kind == std::string::npos || head.find(' ') != kind) return {};
  return {answer.out.substr(end + 1, std::stoull(head.substr(kind + 6))), false};
}

bool is_tracked(const std::string& root, const std::string& path) {
  return report::run_git(root, {"--literal-pathspecs", "ls-files", "--error-unmatch", "--", path}).exit_code == 0;
}

std::optional<std::string> named_file(const CommandLine& line) {
  if (auto file = line.text("rcfile")) return file;
  const char* file = std::getenv("COVERAGE_RCFILE");
  return file && *file ? std::optional<std::string>(file) : std::nullopt;
}

Config config_by(const CommandLine& line, const report::ReadText& read) {
  Config config = report::read_config_as_it_was(line.text("rcfile"), read);
  if (auto file = line.text("config-file"))
    report::read_diff_cover_section(config, *file, [](const std::string&) {}, read);
  return config;
}

}  // namespace

std::optional<std::string> path_below(const std::string& root, const std::string& file) {
  const fs::path path(file);
  const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
  return below(root, report::absolute_path(folder) + "/" + path.filename().string());
}

Config config_now(const CommandLine& line) { return config_by(line, report::read_text); }

BaseConfig base_config(const CommandLine& line, const std::string& root, const std::string& commit) {
  std::set<std::string> untracked, unknown;
  auto read = [&](const std::string& file) -> std::optional<std::string> {
    if (const std::optional<std::string> path = path_below(root, file)) {
      CommittedFile committed = file_of(root, commit, *path);
      if (committed.text) return report::config_text(std::move(*committed.text));
      if (committed.leads_away)
        unknown.insert(file);
      else if (is_tracked(root, *path))
        return std::nullopt;  // the change adds it
    }
    untracked.insert(file);
    return report::read_text(file);
  };
  BaseConfig result{config_by(line, read), {}};
  for (const std::string& file : result.config.files)
    if (untracked.contains(file)) unknown.insert(file);
  if (auto typed = line.text("rcfile")) unknown.erase(*typed);
  if (auto typed = line.text("config-file")) unknown.erase(*typed);
  result.unknown.assign(unknown.begin(), unknown.end());
  return result;
}

bool changes_configuration(const CommandLine& line, const report::Changes& changes) {
  const std::optional<std::string> file = named_file(line);
  if (file && file->empty()) return false;  // no file is read for an empty name
  std::set<std::string> paths;
  auto add = [&](const std::optional<std::string>& path) {
    if (path) paths.insert(*path);
  };
  auto add_named = [&](const std::string& name) {
    add(path_below(changes.root, name));
    add(below(changes.root, report::absolute_path(name)));
  };
  if (file) add_named(*file);
  if (auto diff_cover = line.text("config-file")) add_named(*diff_cover);
  if (const char* forced = std::getenv("COVERAGE_FORCE_CONFIG"); forced && *forced) add_named(forced);
  std::error_code error;
  for (const char* name : kConfigNames)
    for (const std::string& folder : {changes.root + "/", std::string()})
      if (fs::is_symlink(folder + name, error)) add(below(changes.root, report::absolute_path(folder + name)));
  auto is_one = [&](const std::string& path) {
    return paths.contains(path) || std::find(std::begin(kConfigNames), std::end(kConfigNames),
                                             fs::path(path).filename()) != std::end(kConfigNames);
  };
  return std::any_of(changes.files.begin(), changes.files.end(), [&](const report::ChangedFile& file) {
    return is_one(file.path) || (!file.old_path.empty() && is_one(file.old_path));
  });
}

}  // namespace qd::cli
