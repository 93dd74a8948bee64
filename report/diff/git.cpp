// git process: its environment, and the parts of its output.
#include "report/diff/git.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

namespace qd::report {
namespace {

// Variables that change the output of a diff, its destination, the meaning of paths, or objects.
constexpr std::array<std::string_view, 15> kDropped = {
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_TRACE",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
    "GIT_ATTR_SOURCE",
    "LC_ALL",
    "LANGUAGE",
};

// Variables with paths that git resolves against its own working folder, which is another one than ours. (It resolves
// GIT_INDEX_FILE against the top of the working tree.)
constexpr std::array<std::string_view, 7> kPaths = {
    "GIT_DIR",          "GIT_WORK_TREE",     "GIT_COMMON_DIR",   "GIT_OBJECT_DIRECTORY",
    "GIT_SHALLOW_FILE", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"};
constexpr std::string_view kPathList = "GIT_ALTERNATE_OBJECT_DIRECTORIES";  // separated by ':'

std::string_view variable_name(std::string_view variable) { return variable.substr(0, variable.find('=')); }

std::string absolute_path_list(std::string_view paths) {
  std::string result;
  while (!paths.empty()) {
    const std::string_view path = paths.substr(0, paths.find(':'));
    // A path in quotation marks may have colons, and is left as it is.
    const bool is_relative = !path.empty() && path.front() != '/' && path.front() != '"';
    result += is_relative ? std::filesystem::absolute(path).string() : std::string(path);
    if (path.size() < paths.size()) result += ':';
    paths.remove_prefix(std::min(paths.size(), path.size() + 1));
  }
  return result;
}

std::vector<std::string> git_environment(const std::vector<std::string>& more) {
  std::vector<std::string> result = {"LC_ALL=C",
                                     "LANGUAGE=",
                                     "GIT_OPTIONAL_LOCKS=0",
                                     "GIT_TERMINAL_PROMPT=0",
                                     "GIT_NO_REPLACE_OBJECTS=1",
                                     "GIT_GRAFT_FILE=/dev/null"};
  for (const std::string& variable : more)
    if (variable.find('=') != std::string::npos) result.push_back(variable);
  for (const std::string& variable : own_environment()) {
    const std::string_view name = variable_name(variable);
    bool dropped = std::find(kDropped.begin(), kDropped.end(), name) != kDropped.end();
    for (const std::string& other : more) dropped = dropped || variable_name(other) == name;
    if (dropped) continue;
    const std::string_view value = std::string_view(variable).substr(std::min(variable.size(), name.size() + 1));
    bool is_relative =
        !value.empty() && !value.starts_with('/') && std::find(kPaths.begin(), kPaths.end(), name) != kPaths.end();
    if (name == kPathList)
      result.push_back(fmt::format("{}={}", name, absolute_path_list(value)));
    else if (is_relative)
      result.push_back(fmt::format("{}={}", name, std::filesystem::absolute(value).string()));
    else
      result.push_back(variable);
  }
  return result;
}

}  // namespace

std::string GitOutput::first_error() const {
  std::string line = err.substr(0, err.find('\n'));
  for (std::string_view prefix : {"fatal: ", "error: "})
    if (line.starts_with(prefix)) line.erase(0, prefix.size());
  return line;
}

GitOutput run_git(const std::string& folder, const std::vector<std::string>& args, const std::string& input,
                  const std::vector<std::string>& environment) {
  std::vector<std::string> words = {"git", "-C", folder, "--no-pager", "-c", "advice.graftFileDeprecated=false"};
  words.insert(words.end(), args.begin(), args.end());
  try {
    return {program_output(std::move(words), input, git_environment(environment))};
  } catch (const StartError& error) {
    if (error.not_found)
      throw GitError("git is not installed, or not on the PATH: it is what tells which lines changed.");
    throw GitError(fmt::format("Can't run git: {}", error.what()));
  }
}

std::vector<std::string> split_nul(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\0', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::vector<std::optional<std::string>> read_blobs(const std::string& folder, const std::vector<std::string>& ids) {
  std::vector<std::optional<std::string>> blobs(ids.size());
  if (ids.empty()) return blobs;
  std::string input;
  for (const std::string& id : ids) input += id + '\n';
  GitOutput answer = run_git(folder, {"cat-file", "--batch"}, input);
  if (answer.exit_code != 0) throw GitError(fmt::format("git can't read its objects: {}", answer.first_error()));
  // Format: "ID TYPE SIZE\n", the content and '\n' for each; "ID missing\n" for an unknown id.
  std::string_view rest = answer.out;
  for (size_t i = 0; i < ids.size() && !rest.empty(); ++i) {
    size_t end = rest.find('\n');
    std::string_view head = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    size_t blank = head.rfind(' ');
    size_t size = 0;
    if (blank == std::string_view::npos ||
        std::from_chars(head.data() + blank + 1, head.data() + head.size(), size).ec != std::errc())
      continue;
    if (size > rest.size()) break;
    if (head.substr(0, blank).ends_with(" blob")) blobs[i] = rest.substr(0, size);
    rest.remove_prefix(std::min(rest.size(), size + 1));
  }
  return blobs;
}

}  // namespace qd::report
