// Inputs of a combination, and duplicates among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace qd::report {

/// Returns the data files that `qd-cov combine PATHS` takes, absolute and sorted. Files are taken as they are. From a
/// folder these are taken: `<data file>.*`, the kernel runtime's `_qd_kcov.*`, and journals, but for
/// those of processes that are seen to run. Throws NoDataError for a path that does not exist.
std::vector<std::string> combinable_files(const std::string& data_file, const std::vector<std::string>& paths);

/// Whether a file is `<data file>.*` in the data file's folder.
bool is_part(const std::string& file, const std::string& data_file);

/// Whether a file is one of the kernel runtime's, `_qd_kcov.*`.
bool is_part_of_kernels(const std::string& file);

/// Hash of the data in a name that coverage.py made: `.HOST.pidN.Xabcdefx.Habcdefghijh`. Empty for other names.
std::string hash_in_name(const std::string& path);

/// Whether a file that cannot be read should hold measured data: by its content, by a name that coverage.py or the
/// kernel runtime made, or because nobody may look at its content.
bool is_lost_data(const std::string& path);

/// Finds inputs with the same data as an earlier one: by the hash in their names, else by their content.
class Duplicates {
 public:
  /// `name_hash` is hash_in_name(path), `content_hash` hash_of_file() when there is no hash in the name.
  bool seen_before(const std::string& path, const std::string& name_hash, std::optional<uint64_t> content_hash);
  /// Forgets an input that cannot be read: one with the same name may be whole.
  void forget(const std::string& name_hash) { names_.erase(name_hash); }

 private:
  std::unordered_set<std::string> names_;
  std::unordered_multimap<uint64_t, std::string> contents_;
};

}  // namespace qd::report
