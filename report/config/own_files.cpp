// Search for our own sections, in each folder from the top of the repository down.
#include "report/config/own_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "report/config/own_names.h"
#include "report/config/own_section.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

// kOwnFile is ours alone; the others are coverage.py's.
constexpr std::array kNames = {kOwnFile, ".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml"};

/// Folders from the top of the repository to the current one: "../../", "../", "". Outside of a repository the last
/// alone.
std::vector<std::string> folders() {
  std::vector<std::string> result = {""};
  std::error_code error;
  const char* told = std::getenv("GIT_WORK_TREE");
  const fs::path here = fs::current_path(error);
  if (error) return result;
  for (fs::path folder = here;; folder = folder.parent_path()) {
    if (told && *told ? fs::equivalent(folder, told, error) : fs::exists(folder / ".git", error)) {
      std::reverse(result.begin(), result.end());
      return result;
    }
    if (folder == folder.parent_path()) break;
    result.push_back(result.back() + "../");
  }
  return {""};
}

/// Whether a file that is no valid TOML or INI file may have settings of ours. In an INI file these have a section.
bool mentions_us(const std::string& path) {
  const bool is_toml = fs::path(path).extension() == ".toml";
  std::ifstream file(path, std::ios::binary);  // its bytes: it may be no text
  for (std::string line; std::getline(file, line);)
    if ((is_toml || line.find('[') != std::string::npos) && letters_of(line).find("qdcov") != std::string::npos)
      return true;
  return false;
}

/// Whether a file's name is nearly that of our own file: "QD-COV.toml", "qd_cov.ini", ".qdcovrc".
bool is_misspelt(const std::string& name) {
  static constexpr std::array kNearly = {"qdcovtoml", "qdcovini", "qdcovcfg", "qdcovrc", "qdcovrctoml"};
  return name != kOwnFile && std::ranges::find(kNearly, letters_of(name)) != kNearly.end();
}

/// Throws for a file that cannot be opened, or that has a misspelt name of ours: it might hold a gate.
void refuse_unread_files_in(const std::string& folder) {
  std::error_code error;
  for (const char* name : kNames) {
    const std::string path = folder + name;
    const fs::file_status status = fs::symlink_status(path, error);
    const bool is_wanted = fs::is_regular_file(path, error) || (name == kNames[0] && fs::exists(status)) ||
                           (fs::is_symlink(status) && !fs::exists(path, error));
    if (is_wanted && (access(path.c_str(), R_OK) != 0 || fs::is_directory(path, error)))
      throw ConfigError(fmt::format("Couldn't read config file {}: it can't be opened", path));
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename();
    if (is_misspelt(name) && entry.is_regular_file(error))
      throw ConfigError(fmt::format("Config file {} is not read; its name has to be '{}'", folder + name, kOwnFile));
  }
}

/// Sections of a file; none when it does not exist, or is another tool's and no configuration file at all.
std::optional<ConfigFile> parsed(const std::string& path, bool must_be_one, const ReadText& read) {
  try {
    return read_config_file(path, false, read);
  } catch (const InvalidFile& error) {
    if (!must_be_one && !mentions_us(path)) return std::nullopt;  // reported if coverage.py's settings are in it
    throw ConfigError(fmt::format("Couldn't read config file {}: {}", path, error.what()));
  }
}

/// Reads settings of ours into `config`. False when the file has none.
bool read_settings(Config& config, const std::string& path, const std::string& folder, bool specified,
                   const ReadText& read) {
  const bool own = fs::path(path).filename() == kOwnFile;
  const std::optional<ConfigFile> file = parsed(path, own || specified, read);
  try {
    if (!file || !read_own_section(config, *file, path, folder, own && !specified)) return false;
    config.files.push_back(path);
    return true;
  } catch (const InvalidFile& error) {
    throw ConfigError(fmt::format("Couldn't read config file {}: {}", path, error.what()));
  }
}

}  // namespace

void read_own_settings(Config& config, const std::vector<ConfigCandidate>& files, const ReadText& read) {
  if (files.empty()) return;
  if (files[0].specified && read_settings(config, files[0].path, "", true, read)) return;
  for (const std::string& folder : folders()) {
    std::string found;
    for (const char* name : kNames) {
      if (!read_settings(config, folder + name, folder, false, read)) continue;
      if (!found.empty())
        throw ConfigError(fmt::format("Settings of qd-cov stand in {} and in {}: keep them in one of these files",
                                      found, folder + name));
      found = folder + name;
    }
  }
}

void read_own_settings_of(Config& config, const std::string& path, const ReadText& read) {
  read_settings(config, path, "", true, read);
}

void refuse_unread_files() {
  for (const std::string& folder : folders()) refuse_unread_files_in(folder);
}

}  // namespace qd::report
