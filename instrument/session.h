// The coverage of one process: observes every launch and knows which lines and arcs of the kernels ran.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"
#include "runtime/launch/observer.h"

namespace qd::instrument {

/// Records for as long as it lives; programs that it observes must end before it. Thread-safe.
class Session : public LaunchObserver {
 public:
  Session();
  ~Session() override;

  std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel) override;

  /// All arcs that were taken in finished launches so far, by file as the compiler knows it (absolute, resolved). Waits for launches in flight.
  std::map<std::string, std::set<report::Arc>> arcs();
  /// Forgets every hit so far: for the child after a fork, which must not report its parent's.
  void forget();

 private:
  class Variant;
  friend class Variant;
  void collect(Variant& variant);

  std::mutex mutex_;
  std::set<Variant*> variants_;
  std::map<std::string, std::set<report::Arc>> arcs_;
};

/// How arcs become a data file.
struct DataOptions {
  bool branch = true;              // arcs, as coverage.py's branch mode; else lines
  std::string context = "qd:cpu";  // of every row
  std::string relative_to;         // paths below this folder are written relative to it (relative_files); empty: absolute
};

/// Data in coverage.py's form (coverage-rules: a line is (-first, line), a branch edge (from, to)).
report::CoverageData to_coverage_data(const std::map<std::string, std::set<report::Arc>>& arcs, const DataOptions& options);

/// The session that QD_KERNEL_COVERAGE=1 asks for, or null. It writes `_qd_kcov.<pid>` when the process ends, into QD_KERNEL_COVERAGE_DIR or the folder where the
/// process started; QD_KERNEL_COVERAGE_BRANCH=0 asks for line data. For C++ programs: `Program program(config, instrument::environment_session());`
Session* environment_session();

}  // namespace qd::instrument
