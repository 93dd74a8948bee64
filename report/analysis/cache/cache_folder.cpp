// Folder of the analysis cache.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "report/analysis/cache/analysis_cache.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

fs::path cache_folder() {
  auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  if (variable("QD_COV_CACHE") == "0") return {};
  if (fs::path own = variable("QD_COV_CACHE_DIR"); !own.empty()) return fs::absolute(own);
  if (fs::path xdg = variable("XDG_CACHE_HOME"); xdg.is_absolute()) return xdg / "qd-cov";
  if (fs::path home = variable("HOME"); home.is_absolute()) return home / ".cache" / "qd-cov";
  return {};
}

/// Writes CACHEDIR.TAG, which tells programs that make backups to leave the folder out.
void write_tag(const fs::path& folder) {
  constexpr std::string_view kText =
      "Signature: 8a477f597d28d172789f06886806bc55\n# Analyses of sources that qd-cov keeps. They can be deleted at "
      "any time.\n";
  const int file = open((folder / "CACHEDIR.TAG").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, kText.data(), kText.size());
  close(file);
}

/// File name of the cache: `0123456789abcdef.analyses`, with `.PID.tmp` behind it while it is written.
bool is_ours(std::string_view name) {
  constexpr std::string_view kHex = "0123456789abcdef", kDigits = "0123456789", kEnd = ".analyses",
                             kUnfinished = ".tmp";
  if (name.size() < 16 || name.substr(0, 16).find_first_not_of(kHex) != std::string_view::npos) return false;
  name.remove_prefix(16);
  if (!name.starts_with(kEnd)) return false;
  name.remove_prefix(kEnd.size());
  if (name.empty()) return true;
  if (!name.starts_with('.') || !name.ends_with(kUnfinished) || name.size() < 2 + kUnfinished.size()) return false;
  return name.substr(1, name.size() - 1 - kUnfinished.size()).find_first_not_of(kDigits) == std::string_view::npos;
}

/// Deletes unused files of the cache alone: the folder may be one that other programs use too.
void remove_unused(const fs::path& folder) {
  constexpr time_t kMonth = 30 * 24 * 60 * 60;
  std::error_code error;
  const time_t oldest = time(nullptr) - kMonth;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    struct stat status = {};
    if (!is_ours(entry->path().filename().string()) || lstat(entry->path().c_str(), &status) != 0) continue;
    if (S_ISREG(status.st_mode) && status.st_uid == geteuid() && status.st_mtime < oldest)
      unlink(entry->path().c_str());
  }
}

}  // namespace

std::string analysis_cache_path(const std::string& data_file) {
  std::error_code error;
  fs::path folder = cache_folder();
  if (folder.empty()) return {};
  if (fs::create_directories(folder, error)) fs::permissions(folder, fs::perms::owner_all, error);
  if (!fs::is_directory(folder, error)) return {};
  write_tag(folder);
  remove_unused(folder);
  std::string name = fs::absolute(data_file, error).lexically_normal().string();
  return folder / fmt::format("{:016x}.analyses", XXH3_64bits(name.data(), name.size()));
}

}  // namespace qd::report
