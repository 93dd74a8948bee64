// Numbers by arch, for the columns of the index: coverage in host code and on each device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"

namespace qd::report {

/// For each arch, the statements and branches of a file or of a part that it can run, and those that ran on it.
struct ArchNumbers {
  struct Count {
    int64_t total = 0, done = 0;
    bool operator==(const Count&) const = default;
    std::string percent(int precision) const;  // 0 or 100 only when exact
  };
  std::vector<Count> counts;  // in the order of arch_coverage()'s archs; empty: the data has no devices
  bool first_is_host = false;

  ArchNumbers& operator+=(const ArchNumbers& other);
  /// Whether they differ from `n` for the host and 0 for all others.
  bool differ_from(const Numbers& n) const;
  /// JSON: ",[total,done,total,done,...]"; empty without devices.
  std::string json() const;
};

/// Marks of archs for lines of kernels: "K" if there is one device; else the first letters that tell a device from the
/// others. Empty for the host.
std::vector<std::string> arch_marks(const std::vector<std::string>& archs);

/// Computes the numbers of parts of one file. Keeps a reference to the result of arch_coverage().
class ArchCounter {
 public:
  explicit ArchCounter(const std::vector<ArchCoverage>& archs);
  /// Numbers of lines, whose numbers over all archs are `n`.
  ArchNumbers count(const LineRanges& lines, const Numbers& n);

 private:
  const std::vector<ArchCoverage>& archs_;
  std::vector<AnalysisParts> parts_;  // by arch; empty when the whole file is the host's
  AnalysisPart part_;
};

}  // namespace qd::report
