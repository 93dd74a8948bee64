// Measured versions of sources. Processes note the state of a file when the first of its code runs. If the file is
// still in that state after the run, its text is the one that was measured.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "report/data/coverage_data.h"

namespace qd::report {

class MeasuredVersions {
 public:
  /// `notes`: a file of "MTIME CTIME SIZE INODE PATH\0", times in nanoseconds of the epoch; the file need not exist.
  /// `start`: begin of the run. A file without a note must be older than that.
  MeasuredVersions(const std::string& notes, int64_t start);

  /// Adds the hash of its text to each file of `data` that has no version. When the file ran, and another text was or
  /// may have been measured, adds kChangedVersion or kDoubtfulVersion instead. A file for which `maybe_not` is true
  /// gets a version only when there is a note of it.
  void add_to(CoverageData& data, const std::function<bool(const std::string& path)>& maybe_not = {});
  /// Returns the hash, kChangedVersion or kDoubtfulVersion; empty when the file does not exist.
  const std::string& version(const std::string& path);

 private:
  struct State {
    int64_t written = 0, changed = 0, size = 0, inode = 0;
    auto operator<=>(const State&) const = default;
  };
  static std::optional<State> state_of(const std::string& path);

  std::unordered_map<std::string, std::set<State>> noted_;  // by resolved path
  std::unordered_map<std::string, std::string> versions_;
  int64_t start_;
};

}  // namespace qd::report
