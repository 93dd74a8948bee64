// Measured versions: reads the notes of measured processes.
#include "report/data/measured_versions.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "report/data/file_content.h"
#include "report/data/source_hash.h"
#include "report/data/source_version.h"

namespace qd::report {

namespace {

std::string resolved(const std::string& path) {
  std::error_code error;
  std::filesystem::path result = std::filesystem::canonical(path, error);
  return error ? path : result.string();
}

}  // namespace

MeasuredVersions::MeasuredVersions(const std::string& notes, int64_t start) : start_(start) {
  const std::string text = read_bytes(notes).value_or("");
  for (size_t at = 0, end = text.find('\0'); end != std::string::npos; at = end + 1, end = text.find('\0', at)) {
    State state;
    int length = 0;
    const int n = std::sscanf(text.c_str() + at, "%ld %ld %ld %ld %n", &state.written, &state.changed, &state.size,
                              &state.inode, &length);
    if (n == 4 && length > 0)
      noted_[resolved(text.substr(at + static_cast<size_t>(length), end - at - static_cast<size_t>(length)))].insert(
          state);
  }
}

std::optional<MeasuredVersions::State> MeasuredVersions::state_of(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) return std::nullopt;
  return State{nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim), facts.st_size,
               static_cast<int64_t>(facts.st_ino)};
}

const std::string& MeasuredVersions::version(const std::string& path) {
  auto [known, is_new] = versions_.try_emplace(path);
  if (!is_new) return known->second;
  const std::optional<State> now = state_of(path);
  if (!now) return known->second;
  auto noted = noted_.find(resolved(path));
  const bool is_noted = noted != noted_.end();
  const bool same = is_noted ? noted->second == std::set<State>{*now} : std::max(now->written, now->changed) <= start_;
  return known->second = same ? source_hash_of_file(path) : is_noted ? kChangedVersion : kDoubtfulVersion;
}

void MeasuredVersions::add_to(CoverageData& data, const std::function<bool(const std::string& path)>& maybe_not) {
  for (auto& [path, file] : data.files) {
    if (!file.source_hashes.empty() || (maybe_not && maybe_not(path) && !noted_.contains(resolved(path)))) continue;
    const std::string& its = version(path);
    const bool is_hash = its != kDoubtfulVersion && its != kChangedVersion;
    if (!its.empty() && (is_hash || file.any_executed())) file.source_hashes.insert(its);
  }
}

}  // namespace qd::report
