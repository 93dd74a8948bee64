// File of the analysis cache: read whole, checked piece by piece, replaced whole.
#include "report/analysis/cache/analysis_cache.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "report/data/signals_wait.h"
#include "runtime/build/build_id.h"

namespace qd::report {

namespace {

constexpr uint64_t kMagic = 0x31657461'6c636471;  // changes with the layout of the file and of packed analyses

uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

template <typename T>
std::string_view bytes_of_object(const T& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

/// The content of a regular file. Empty when there is no such file, when it has more than `limit` bytes, or when
/// another user could have written it.
std::string read_whole(const std::string& path, size_t limit) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (file < 0) return {};
  std::string text;
  struct stat status = {};
  const bool ours = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                    (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (ours && static_cast<uint64_t>(status.st_size) <= limit) {
    text.resize(static_cast<size_t>(status.st_size));
    size_t size = 0;
    for (ssize_t n = 1; n > 0 && size < text.size(); size += n > 0 ? static_cast<size_t>(n) : 0)
      n = read(file, text.data() + size, text.size() - size);
    text.resize(size);
    constexpr time_t kDay = 24 * 60 * 60;
    if (status.st_mtime < time(nullptr) - kDay) futimens(file, nullptr);  // marks use: see analysis_cache_path
  }
  close(file);
  return text;
}

/// Writes under a temporary name, and renames (an atomic replacement). After an error the old file is as it was.
void replace_file(const std::string& path, std::string_view contents) {
  SignalsWait wait;
  std::string unfinished = fmt::format("{}.{}.tmp", path, getpid());
  int file = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return;
  while (!contents.empty()) {
    ssize_t n = write(file, contents.data(), contents.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    contents.remove_prefix(static_cast<size_t>(n));
  }
  bool good = close(file) == 0 && contents.empty() && std::rename(unfinished.c_str(), path.c_str()) == 0;
  if (!good) unlink(unfinished.c_str());
}

}  // namespace

AnalysisCache::AnalysisCache(std::string path, std::string_view settings, Limits limits)
    : path_(std::move(path)), limits_(limits) {
  XXH128_hash_t hash = XXH3_128bits(settings.data(), settings.size());
  settings_ = {hash.low64, hash.high64};
  file_ = read_whole(path_, limits_.bytes);
  records_ = records_of_file();
  used_ = std::vector<std::atomic<bool>>(records_.size());
}

std::vector<AnalysisCache::Record> AnalysisCache::records_of_file() const {
  Header header;
  if (file_.size() < sizeof header) return {};
  std::memcpy(&header, file_.data(), sizeof header);
  if (header.magic != kMagic || header.size != file_.size() ||
      header.n_records > (file_.size() - sizeof header) / sizeof(Record))
    return {};
  std::string_view bytes = std::string_view(file_).substr(sizeof header, header.n_records * sizeof(Record));
  if (checksum(bytes) != header.checksum) return {};
  std::vector<Record> records(header.n_records);
  std::memcpy(records.data(), bytes.data(), bytes.size());
  return records;
}

AnalysisCache::Hash AnalysisCache::key(const Hash& text, const AnalysisOptions& options) const {
  const auto& [arcs, conditions, kernels, regions, descriptions, python_minor] = options;
  std::array<uint64_t, 6> all = {text[0],
                                 text[1],
                                 settings_[0],
                                 settings_[1],
                                 static_cast<uint64_t>(python_minor),
                                 uint64_t{arcs} | uint64_t{conditions} << 1 | uint64_t{kernels} << 2 |
                                     uint64_t{regions} << 3 | uint64_t{descriptions} << 4};
  XXH128_hash_t hash = XXH3_128bits(all.data(), sizeof all);
  return {hash.low64, hash.high64};
}

std::optional<std::string_view> AnalysisCache::bytes_of(const Hash& key) const {
  auto record =
      std::lower_bound(records_.begin(), records_.end(), key, [](const Record& r, const Hash& k) { return r.key < k; });
  if (record == records_.end() || record->key != key || record->offset > file_.size() ||
      record->size > file_.size() - record->offset)
    return std::nullopt;
  std::string_view bytes = std::string_view(file_).substr(record->offset, record->size);
  if (checksum(bytes) != record->checksum) return std::nullopt;
  used_[static_cast<size_t>(record - records_.begin())].store(true, std::memory_order_relaxed);
  return bytes;
}

std::optional<SourceAnalysis> AnalysisCache::find(std::string_view text, const AnalysisOptions& options) const {
  if (records_.empty()) return std::nullopt;
  XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  auto unpacked = [&](bool regions, bool descriptions) -> std::optional<SourceAnalysis> {
    AnalysisOptions packed_with = options;
    packed_with.regions = regions;
    packed_with.descriptions = descriptions;
    auto bytes = bytes_of(key({hash.low64, hash.high64}, packed_with));
    std::optional<SourceAnalysis> source;
    if (bytes && !unpack_analysis(*bytes, options, source.emplace())) source.reset();
    return source;
  };
  std::optional<SourceAnalysis> found = unpacked(options.regions, options.descriptions);
  if (!found && !options.regions) found = unpacked(true, options.descriptions);
  if (!found && !options.descriptions) found = unpacked(true, true);
  return found;
}

void AnalysisCache::add(std::string_view text, const AnalysisOptions& options, const SourceAnalysis& source) {
  XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  std::string bytes = pack_analysis(source, options);
  std::lock_guard lock(mutex_);
  added_.insert_or_assign(key({hash.low64, hash.high64}, options), std::move(bytes));
}

std::string AnalysisCache::new_contents() const {
  std::vector<std::pair<Record, std::string_view>> kept;
  for (const auto& [key, bytes] : added_)
    kept.push_back({{key, checksum(bytes), 0, static_cast<uint32_t>(bytes.size()), 0}, bytes});
  for (size_t i = 0; i < records_.size(); ++i) {
    Record record = records_[i];
    record.age = used_[i] ? 0 : record.age + 1;
    if (record.age > limits_.age || added_.contains(record.key) || record.offset > file_.size() ||
        record.size > file_.size() - record.offset)
      continue;
    kept.emplace_back(record, std::string_view(file_).substr(record.offset, record.size));
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.age, a.first.key) < std::tie(b.first.age, b.first.key);
  });
  Header header = {kMagic, 0, sizeof(Header), 0};
  for (const auto& [record, bytes] : kept) {
    if (header.size + sizeof record + bytes.size() > limits_.bytes) break;
    header.size += sizeof record + bytes.size();
    ++header.n_records;
  }
  kept.resize(header.n_records);
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.first.key < b.first.key; });

  std::string records, analyses;
  size_t offset = sizeof header + kept.size() * sizeof(Record);
  for (auto& [record, bytes] : kept) {
    record.offset = offset;
    offset += bytes.size();
    records += bytes_of_object(record);
  }
  header.checksum = checksum(records);
  std::string contents(bytes_of_object(header));
  contents.reserve(header.size);
  contents += records;
  for (const auto& [record, bytes] : kept) contents += bytes;
  return contents;
}

void AnalysisCache::save() {
  if (added_.empty()) return;
  replace_file(path_, new_contents());
}

std::string build_id() { return build_id_of(reinterpret_cast<const void*>(&build_id)); }

}  // namespace qd::report
