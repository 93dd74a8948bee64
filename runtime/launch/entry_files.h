// The offline cache's files: bytes under a key, one file each, used by several processes at once.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/launch/config.h"

namespace qd {

struct CacheOptions {
  using Cleaning = CacheCleaning;
  std::string folder;  // empty: no offline cache
  Cleaning cleaning = Config{}.offline_cache_cleaning_policy;
  uint64_t max_bytes = static_cast<uint64_t>(Config{}.offline_cache_max_size_of_files);
  double cleaning_factor = Config{}.offline_cache_cleaning_factor;  // so much of max_bytes is made free at once
};

/// The offline cache of a program.
CacheOptions cache_options(const Config& config);

/// A help and never in the way: whatever is wrong with the folder or a file, nothing is found, or nothing is kept, and
/// there is a warning. Thread-safe; never throws but for memory.
class EntryFiles {
 public:
  using Key = std::array<uint64_t, 2>;
  enum class Kind : uint8_t { Code, Kernel, Questions };

  /// `version`: the build that the entries are of; those of others are not seen.
  EntryFiles(CacheOptions options, std::string_view version);

  /// What was kept under a key, whole and unchanged. A damaged entry, and one that others than this user could have
  /// written, is as good as none.
  std::optional<std::string> find(const Key& key, Kind kind);
  /// Keeps bytes under a key, in place of what was there. May delete others: see CacheOptions.
  void put(const Key& key, Kind kind, std::string_view bytes);
  /// Takes out an entry whose bytes turned out to be of no use.
  void discard(const Key& key, Kind kind, std::string_view reason);

  /// What users should know; each is given once.
  std::vector<std::string> take_warnings();

 private:
  std::string path(const Key& key, Kind kind) const;
  void warn(std::string text);
  void cannot_write(const std::string& path, int error);
  bool make_folder();
  void clean();

  const CacheOptions options_;
  const std::string folder_;  // of this version
  std::mutex mutex_;          // of what follows
  std::vector<std::string> warnings_;
  bool writable_ = true;
  bool scanned_ = false;
  uint64_t total_ = 0;    // bytes of all entries when they were last looked at
  uint64_t written_ = 0;  // bytes that were put since
};

}  // namespace qd
