// Where the cache is.
#include <fmt/core.h>
#include <xxhash.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "report/analysis/analysis_cache.h"

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

/// Says that the folder is a cache to programs that make backups.
void write_tag(const fs::path& folder) {
  fs::path path = folder / "CACHEDIR.TAG";
  std::error_code error;
  if (fs::exists(path, error)) return;
  std::ofstream(path) << "Signature: 8a477f597d28d172789f06886806bc55\n# Analyses of sources that qd-cov keeps. They can be deleted at any time.\n";
}

void remove_unused(const fs::path& folder) {
  constexpr std::chrono::hours kMonth(24 * 30);
  std::error_code error;
  auto oldest = fs::file_time_type::clock::now() - kMonth;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::string extension = entry->path().extension();
    std::error_code ignored;
    bool ours = extension == ".analyses" || extension == ".tmp";
    if (ours && entry->is_regular_file(ignored) && entry->last_write_time(ignored) < oldest && !ignored) fs::remove(entry->path(), ignored);
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
