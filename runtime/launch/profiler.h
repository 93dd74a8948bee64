// Profiler: times of kernels and their tasks on the device, by program.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/launch/code.h"

namespace qd {

/// Statistics of times, in nanoseconds.
struct TimeStatistics {
  int64_t count = 0;
  int64_t total = 0;
  int64_t min = 0;
  int64_t max = 0;

  void add(int64_t time);
};

/// Sums the times that a device has measured, for each kernel of the source and for each of its tasks. Variants and
/// forms of a kernel share a row. Thread-safe.
class Profiler {
 public:
  /// Largest number of records that are kept; the oldest go first. The statistics have them all.
  static constexpr size_t kMostRecords = 1 << 20;

  struct Task {
    std::string name;  // such as "limit:10 for": its begin in the source, and its kind; behind that the name of
                       // qd.loop_config, if it has one
    TimeStatistics times;
  };
  struct Kernel {
    ir::Function function;
    TimeStatistics launches;  // of the sums of a launch's tasks
    std::vector<Task> tasks;
  };
  /// A task that ran.
  struct Record {
    uint32_t kernel = 0;  // into kernels()
    uint32_t task = 0;    // into its tasks
    int64_t begin = 0;    // in nanoseconds; the first record begins at 0
    int64_t time = 0;     // in nanoseconds
  };
  struct Records {
    std::vector<Record> list;
    uint64_t dropped = 0;  // number of older ones that are not kept any more
  };

  /// Adds the times of a launch that is over, however it ended.
  void add(const KernelCode& code, const std::vector<device::TaskTime>& times);

  /// The kernels in the order in which they first ran, since the last clear().
  std::vector<Kernel> kernels() const;
  Records records() const;
  void clear();

 private:
  /// Rows for the times of one code.
  struct Rows {
    uint32_t kernel = 0;
    std::vector<uint32_t> tasks;
  };
  const Rows& rows_of(const KernelCode& code);

  mutable std::mutex mutex_;  // guards the members below
  std::vector<Kernel> kernels_;
  std::map<std::pair<std::string, int32_t>, uint32_t> by_place_;  // into kernels_, by file and first line
  std::unordered_map<uint64_t, Rows> by_code_;                    // by KernelCode::id
  std::deque<Record> records_;
  uint64_t dropped_ = 0;
  int64_t origin_ = 0;  // begin of the first task of all
};

}  // namespace qd
