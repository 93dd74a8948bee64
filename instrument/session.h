// The coverage of one process: observes every launch and knows which lines and arcs of the kernels ran, in which context.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "instrument/journal.h"
#include "instrument/probe_cap.h"
#include "report/data/coverage_data.h"
#include "runtime/launch/observer.h"

namespace qd::instrument {

struct Meaning;
class Hits;

/// Arcs that were taken, by file as the compiler knows it (absolute, resolved).
using Arcs = std::map<std::string, std::set<report::Arc>>;

/// What was compiled, or could not be, by file.
using Catalogue = std::map<std::string, std::map<report::KernelFunction, report::Probes>>;

/// An expression whose conditions are measured, and how finished launches evaluated it, by context.
struct RecordedDecision {
  int32_t first_line = 0;  // as in report::Decision, as what follows
  std::string kind;
  std::vector<report::SourceRange> conditions;
  std::map<std::string, std::set<report::Evaluation>> evaluations;
};
using Decisions = std::map<std::string, std::map<report::SourceRange, RecordedDecision>>;  // by file and place

/// Hashes of the texts that kernels were compiled from, by file (report::source_hash).
using Versions = std::map<std::string, std::set<std::string>>;

/// The text that the kernels of a file are compiled from now, as syntax::Module has it; null: it is what the file holds.
using TextOf = std::function<std::shared_ptr<const std::string>(const std::string& file)>;

enum class ProbeForm { Counts, Plain };  // lower_probes, lower_probes_plainly

struct SessionOptions {
  ProbeForm form = ProbeForm::Counts;
  std::optional<size_t> max_probes = std::nullopt;  // see probe_cap.h
  bool conditions = false;           // what the conditions of each decision were
  TextOf text_of = {};               // empty: files do not change while the process lives
};

/// Records for as long as it lives; programs that it observes must end before it. Thread-safe. A fork's child starts with no hits and a journal of its own.
class Session : public LaunchObserver {
 public:
  explicit Session(JournalOptions journal = {}, std::string context = "qd:cpu", SessionOptions options = {});
  ~Session() override;

  std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel, passes::LaunchCounts counts) override;
  void compile_failed(const ir::Function& kernel, const std::string& message) override;
  bool wants_conditions() const override { return session_options_.conditions; }

  /// Launches that start from now on count for this context; those in flight for the one they started in.
  void switch_context(const std::string& context);
  std::string context() const;

  /// Launches that start from now on leave no hits, until `paused` is false again; those in flight are not affected.
  void pause(bool paused);

  /// By context: all arcs that finished launches took. A launch that another thread has in flight is not in it.
  std::map<std::string, Arcs> hits() const;

  /// The kernels and funcs that were compiled or could not be, whether they were launched or not.
  Catalogue catalogue() const;

  /// The decisions of the code that was compiled, whether they were evaluated or not. Empty without SessionOptions::conditions.
  Decisions decisions() const;

  /// Which texts the kernels that are in hits() and catalogue() were compiled from.
  Versions versions() const;

  /// Forgets every hit so far, and leaves the journal to whoever it belongs to. A launch in flight counts when it ends.
  void forget();

  /// What launches reach from now on goes into a new journal. Gives the old one: its file may be removed when hits() is safe in a data file.
  std::shared_ptr<Journal> begin_journal();

 private:
  class Variant;
  std::shared_ptr<const Meaning> interned(std::shared_ptr<const Meaning> meaning);
  uint32_t declare(const Meaning& meaning);
  void note_version(const std::string& file);
  std::shared_ptr<Hits> present_hits(const std::shared_ptr<const Meaning>& meaning);
  std::shared_ptr<Hits> hits_in_present_journal(const Hits& hits);
  std::shared_ptr<Hits> hits_of(const std::shared_ptr<const Meaning>& meaning, uint64_t epoch, const std::string& context);
  void enter_epoch();
  uint64_t epoch_of(const std::string& context);
  std::shared_ptr<Journal> change_journal();

  mutable std::mutex mutex_;
  const SessionOptions session_options_;
  JournalOptions options_;
  std::shared_ptr<Journal> journal_;
  std::string context_;
  bool paused_ = false;
  std::atomic<uint64_t> epoch_ = 0;  // from 1
  uint64_t last_epoch_ = 0;
  std::unordered_map<std::string, uint64_t> epochs_;                           // of contexts
  std::unordered_multimap<size_t, std::shared_ptr<const Meaning>> meanings_;   // by hash
  std::unordered_map<const Meaning*, uint32_t> declared_;                      // the journal's numbers
  std::unordered_map<uint64_t, std::map<const Meaning*, std::shared_ptr<Hits>>> hits_;  // by epoch
  Catalogue catalogue_;
  Decisions decisions_;  // without their evaluations
  Versions versions_;
  Versions declared_versions_;  // those in the present journal
  std::map<std::string, std::shared_ptr<const std::string>> texts_;  // the latest of each file
  ProbeCap cap_;
  std::set<Variant*> variants_;

  friend class ForkHandlers;
};

/// How arcs become a data file.
struct DataOptions {
  bool branch = true;       // arcs, as coverage.py's branch mode; else lines
  std::string relative_to;  // paths below this folder are written relative to it (relative_files); empty: absolute
};

/// Data in coverage.py's form: an executed line is (-first, line), a branch edge (from, to).
report::CoverageData to_coverage_data(const std::map<std::string, Arcs>& hits, const Catalogue& catalogue, const Decisions& decisions, const DataOptions& options,
                                      const Versions& versions = {});

/// The session that QD_KERNEL_COVERAGE=1 asks for, or null. It writes `_qd_kcov.<pid>` when the process ends, into QD_KERNEL_COVERAGE_DIR or the folder where the
/// process started; QD_KERNEL_COVERAGE_BRANCH=0 asks for line data, QD_KERNEL_COVERAGE_CONDITIONS=1 for the values of conditions,
/// QD_COVERAGE_MAX_PROBES=N for N places at most. For C++ programs: `Program program(config, instrument::environment_session());`
Session* environment_session();

}  // namespace qd::instrument
