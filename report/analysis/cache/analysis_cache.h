// Analysis cache: keeps analyses of sources from one run to the next, keyed by the content of the source.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// One file of packed analyses. Best effort: with an unusable file or folder, nothing is found or nothing is kept.
/// Nothing is found in a file that another user could have written. Processes that write the file at the same time
/// replace each other's file as a whole. Several threads may call find() and add() at once.
class AnalysisCache {
 public:
  struct Limits {
    size_t bytes = size_t{32} << 20;  // of the file; the least recently used analyses are evicted first
    uint32_t age = 100;  // eviction age: number of times that the file is written while an analysis is not used
  };

  /// Reads `path`. `settings` are the inputs of an analysis apart from source and options: exclusion patterns, the
  /// version of the program.
  AnalysisCache(std::string path, std::string_view settings, Limits limits);
  AnalysisCache(std::string path, std::string_view settings) : AnalysisCache(std::move(path), settings, Limits()) {}

  /// Looks up the analysis of a text under `options`, or under options that ask for more.
  std::optional<SourceAnalysis> find(std::string_view text, const AnalysisOptions& options) const;
  void add(std::string_view text, const AnalysisOptions& options, const SourceAnalysis& source);

  /// Writes the file if something was added since. Signals wait meanwhile, so that no half of a file is left.
  void save();

 private:
  using Hash = std::array<uint64_t, 2>;
  struct Header {
    uint64_t magic, n_records, size, checksum;  // size: of the file; checksum: of the records
  };
  /// Entry of an analysis in the file. The file has the header, then records sorted by key, then analyses.
  struct Record {
    Hash key;
    uint64_t checksum, offset;
    uint32_t size, age;
  };
  struct Added {
    Hash key;
    std::string bytes;
  };

  std::vector<Record> records_of_file() const;
  Hash key(const Hash& text, const AnalysisOptions& options) const;
  std::optional<std::string_view> bytes_of(const Hash& key) const;
  std::string new_contents() const;

  std::string path_;
  Limits limits_;
  Hash settings_;
  std::string file_;  // as read
  std::vector<Record> records_;
  mutable std::vector<std::atomic<bool>> used_;  // of records_
  std::mutex mutex_;
  std::map<Hash, std::string> added_;  // guarded by mutex_
};

/// Path of the cache file for reports of the data file `data_file`. It is in $QD_COV_CACHE_DIR, $XDG_CACHE_HOME/qd-cov
/// or ~/.cache/qd-cov. The folder is made when it is not there. Files of this cache and user that were not used for a
/// month are deleted. Empty when there is no such folder, or when $QD_COV_CACHE is 0.
std::string analysis_cache_path(const std::string& data_file);

/// Build id of this program: build_id_of (runtime/build) the program or library that holds this code.
std::string build_id();

// Serialisation of an analysis for the cache.

/// Packs all results of analyze_source() under `options`, except KernelDefinition::def.
std::string pack_analysis(const SourceAnalysis& source, const AnalysisOptions& options);

/// Fills `source` from bytes of pack_analysis() under the same options, or under options that ask for more (regions, or
/// regions and descriptions). Parts that `options` does not ask for stay empty. False when `bytes` were not packed by
/// pack_analysis(); then `source` may hold anything.
bool unpack_analysis(std::string_view bytes, const AnalysisOptions& options, SourceAnalysis& source);

}  // namespace qd::report
