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
  double cleaning_factor = Config{}.offline_cache_cleaning_factor;  // fraction of max_bytes that is made free at once
};

/// The settings of a program's offline cache.
CacheOptions cache_options(const Config& config);

/// Store of entries. Best effort: with an unusable folder or file, nothing is found or kept, and there is one warning.
/// Thread-safe. Throws only std::bad_alloc.
class EntryFiles {
 public:
  using Key = std::array<uint64_t, 2>;
  /// A key that is a hash of these bytes.
  static Key key_of(std::string_view bytes);
  enum class Kind : uint8_t { Code, Kernel, Questions, Driver };

  /// `version`: the build of the entries. Entries of other builds are not seen.
  EntryFiles(CacheOptions options, std::string_view version);

  /// Finds the bytes that were kept under a key, whole and unchanged. Nothing for a damaged entry, and for one that
  /// another user could have written.
  std::optional<std::string> find(const Key& key, Kind kind);
  /// Keeps bytes under a key, and replaces earlier ones. May delete other entries: see CacheOptions.
  void put(const Key& key, Kind kind, std::string_view bytes);
  /// Deletes an entry whose bytes turned out to be useless.
  void discard(const Key& key, Kind kind, std::string_view reason);

  /// Warnings for the user. Each is given once.
  std::vector<std::string> take_warnings();

 private:
  std::string path(const Key& key, Kind kind) const;
  void warn(std::string text);
  void cannot_write(const std::string& path, int error);
  bool make_folder();
  void clean();

  const CacheOptions options_;
  const std::string folder_;  // the folder of this version
  std::mutex mutex_;          // guards the members below
  std::vector<std::string> warnings_;
  bool writable_ = true;
  bool scanned_ = false;
  uint64_t total_ = 0;    // size of all entries at the last look at the folder
  uint64_t written_ = 0;  // bytes that were written since
};

}  // namespace qd
