// The columns of the index that say how much ran in host code and on each device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"

namespace qd::report {

/// Of a file or of a part of it, for each arch: the statements and branches that it can run, and those that it did.
struct ArchNumbers {
  struct Count {
    int64_t total = 0, done = 0;
    bool operator==(const Count&) const = default;
    std::string percent(int precision) const;  // as of any numbers: never 0 or 100 unless it is
  };
  std::vector<Count> counts;  // as the archs of arch_coverage(); empty: the data has no devices
  bool first_is_host = false;

  ArchNumbers& operator+=(const ArchNumbers& other);
  /// Whether they are not just what `n` says: all of it the host's.
  bool differ_from(const Numbers& n) const;
  /// ",[total,done,total,done,...]"; empty without devices.
  std::string json() const;
};

/// What a line of a kernel is marked with that ran on a device: "K" where there is just one; else the first letters
/// that tell it from the others. Empty for the host.
std::vector<std::string> arch_marks(const std::vector<std::string>& archs);

/// Counts in parts of one file. Keeps a reference to what arch_coverage() gave.
class ArchCounter {
 public:
  explicit ArchCounter(const std::vector<ArchCoverage>& archs);
  /// Of lines whose numbers, wherever they ran, are `n`.
  ArchNumbers count(const LineRanges& lines, const Numbers& n);

 private:
  const std::vector<ArchCoverage>& archs_;
  std::vector<AnalysisParts> parts_;  // of each arch; empty when all of the file is the host's
  AnalysisPart part_;
};

}  // namespace qd::report
