// The coverage of one process: observes every launch and knows which lines and arcs of the kernels ran, in which
// context.
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
#include <utility>
#include <vector>

#include "instrument/environment.h"
#include "instrument/journal.h"
#include "instrument/probe_cap.h"
#include "report/data/coverage_data.h"
#include "report/data/journal_data.h"
#include "runtime/launch/observer.h"

namespace qd::instrument {

struct CounterMeaning;
class Hits;

/// The text that the kernels of a file are compiled from now, as syntax::Module has it; null: it is what the file
/// holds.
using TextOf = std::function<std::shared_ptr<const std::string>(const std::string& file)>;

enum class ProbeForm { Counts, Plain };  // lower_probes, lower_probes_plainly

struct SessionOptions {
  ProbeForm form = ProbeForm::Counts;
  std::optional<size_t> max_probes = std::nullopt;  // see probe_cap.h
  bool conditions = false;                          // what the conditions of each decision were
  TextOf text_of = {};                              // empty: files do not change while the process lives
};

/// Records for as long as it lives; programs that it observes must end before it. Thread-safe. A fork's child starts
/// with no hits and a journal of its own.
class Session : public LaunchObserver {
 public:
  explicit Session(JournalOptions journal = {}, std::string label = "", SessionOptions options = {});
  ~Session() override;

  std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel, const std::string& arch,
                                                passes::LaunchCounts counts = passes::LaunchCounts::Host) override;
  void compile_failed(const ir::Function& kernel, const std::string& message, const std::string& arch) override;
  ir::Instruments instruments() const override;

  /// Launches that start from now on count for the context with this label; those in flight for the one they started
  /// in. Data has the label and the device.
  void switch_context(const std::string& label);

  /// Launches that start from now on leave no hits, until `paused` is false again; those in flight are not affected.
  void pause(bool paused);

  /// What is known of kernels since everything was forgotten: what was compiled, launched or not, and what finished
  /// launches reached. A launch that another thread has in flight is not in it.
  report::CoverageData data(const report::JournalForm& form = {}) const;

  /// Gives that to `write`, unless there is nothing: then false. What launches reach from now on goes into a new
  /// journal, and when `write` returns, the files of the old ones go. When it throws they stay. What was written once
  /// is written again the next time.
  bool save(const report::JournalForm& form, const std::function<void(const report::CoverageData&)>& write);

  /// Forgets what the last save() has written: the next one writes only what came since.
  void forget_saved();

  /// Forgets everything so far, and leaves the journals to whoever they belong to. A launch in flight counts when it
  /// ends.
  void forget();

 private:
  class ObservedVariant;
  /// What a file was when its kernels were compiled.
  struct Source {
    std::shared_ptr<const std::string> text;  // the latest
    std::set<std::string> hashes;             // of all of them (report::source_hash)
    std::set<std::string> declared;           // those in the present journal
  };
  std::shared_ptr<const CounterMeaning> interned(std::shared_ptr<const CounterMeaning> meaning);
  uint32_t declare(const CounterMeaning& meaning);
  void declare_source(const std::string& file);
  std::shared_ptr<Hits> present_hits(const std::shared_ptr<const CounterMeaning>& meaning);
  std::shared_ptr<Hits> hits_in_present_journal(const Hits& hits);
  std::shared_ptr<Hits> hits_of(const std::shared_ptr<const CounterMeaning>& meaning, uint64_t epoch,
                                const std::string& label);
  void enter_epoch();
  uint64_t epoch_of(const std::string& label);
  void begin_journal();
  bool read_back(Journal& journal, report::JournalData& data) const;

  mutable std::mutex mutex_;
  const SessionOptions session_options_;
  JournalOptions options_;
  std::shared_ptr<Journal> journal_;
  std::vector<std::shared_ptr<Journal>>
      older_journals_;  // which nothing is added to but bits; data is made of these and of the present one
  size_t saved_ = 0;    // of older_journals_, from the first
  std::string label_;   // of the present context
  bool paused_ = false;
  std::atomic<uint64_t> epoch_ = 0;  // from 1
  uint64_t last_epoch_ = 0;
  std::unordered_map<std::string, uint64_t> epochs_;                                           // of contexts, by label
  std::unordered_multimap<size_t, std::shared_ptr<const CounterMeaning>> meanings_;            // by hash
  std::unordered_map<const CounterMeaning*, uint32_t> declared_;                               // the journal's numbers
  std::unordered_map<uint64_t, std::map<const CounterMeaning*, std::shared_ptr<Hits>>> hits_;  // by epoch
  std::set<std::pair<report::JournalFunction, std::string>> errors_;                           // in the journals
  std::map<std::string, Source> sources_;                                                      // by file
  ProbeCap cap_;
  std::set<ObservedVariant*> variants_;

  friend class ForkHandlers;
};

}  // namespace qd::instrument
