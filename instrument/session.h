// The coverage of one process: observes every launch and knows which lines and arcs of the kernels ran, in which context.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "instrument/journal.h"
#include "report/data/coverage_data.h"
#include "runtime/launch/observer.h"

namespace qd::instrument {

/// Arcs that were taken, by file as the compiler knows it (absolute, resolved).
using Arcs = std::map<std::string, std::set<report::Arc>>;

enum class ProbeForm { Counts, Plain };  // lower_probes, lower_probes_plainly

/// Records for as long as it lives; programs that it observes must end before it. Thread-safe. A fork's child starts with no hits and a journal of its own.
class Session : public LaunchObserver {
 public:
  explicit Session(JournalOptions journal = {}, std::string context = "qd:cpu", ProbeForm form = ProbeForm::Counts);
  ~Session() override;

  std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel) override;

  /// Launches that start from now on count for this context; those in flight for the one they started in.
  void switch_context(const std::string& context);
  std::string context() const;

  /// By context: all arcs that finished launches took. A launch that another thread has in flight is not in it.
  std::map<std::string, Arcs> hits() const;

  /// Forgets every hit so far, and leaves the journal to whoever it belongs to.
  void forget();

  /// Everything is safe in a data file: the journal goes.
  void remove_journal();

 private:
  class Variant;
  struct Hits;
  std::shared_ptr<Hits> begin_hits(const Variant& variant);

  mutable std::mutex mutex_;
  const ProbeForm form_;
  JournalOptions options_;
  std::shared_ptr<Journal> journal_;
  std::string context_;
  std::atomic<uint64_t> epoch_ = 1;  // counts changes of the context; hits belong to one epoch
  std::vector<std::shared_ptr<Hits>> hits_;
  std::set<Variant*> variants_;

  friend struct ForkHandlers;
};

/// How arcs become a data file.
struct DataOptions {
  bool branch = true;       // arcs, as coverage.py's branch mode; else lines
  std::string relative_to;  // paths below this folder are written relative to it (relative_files); empty: absolute
};

/// Data in coverage.py's form: an executed line is (-first, line), a branch edge (from, to).
report::CoverageData to_coverage_data(const std::map<std::string, Arcs>& hits, const DataOptions& options);

/// The session that QD_KERNEL_COVERAGE=1 asks for, or null. It writes `_qd_kcov.<pid>` when the process ends, into QD_KERNEL_COVERAGE_DIR or the folder where the
/// process started; QD_KERNEL_COVERAGE_BRANCH=0 asks for line data. For C++ programs: `Program program(config, instrument::environment_session());`
Session* environment_session();

}  // namespace qd::instrument
