// Coverage session of one process: observes every launch, and knows which lines and arcs of kernels ran, and in which
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
struct CoverageMap;
class ContextHits;

/// Text from which the kernels of a file are compiled now, as syntax::Module has it; null when that is the content of
/// the file.
using TextOf = std::function<std::shared_ptr<const std::string>(const std::string& file)>;

struct SessionOptions {
  std::function<CoverageMap(ir::Kernel&)> lower_probes = {};  // a replacement of lower_probes, for comparison in tests
  std::function<void(ir::Kernel&, CoverageMap&)> more = {};   // a further instrument's pass, behind the others
  std::optional<size_t> max_probes = std::nullopt;            // see probe_cap.h
  bool conditions = false;  // whether to record the values of each decision's conditions
  bool gradients = true;    // whether to record the lines whose derivative was computed
  TextOf text_of = {};      // empty: files do not change while the process lives
};

/// Records as long as it lives. Programs that it observes must end before it. Thread-safe. In the child of a fork it
/// starts without hits, and with a journal of its own.
class Session : public LaunchObserver {
 public:
  explicit Session(JournalOptions journal = {}, std::string label = "", SessionOptions options = {});
  ~Session() override;

  std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel, const std::string& arch,
                                                passes::LaunchCounts counts = passes::LaunchCounts::Host,
                                                const std::string& variant = "") override;
  void compile_failed(const ir::Function& kernel, const std::string& message, const std::string& arch) override;
  ir::Instruments instruments() const override;

  /// Launches that start from now on count for the context with this label; launches in flight for the context in which
  /// they started. Data has the label and the device.
  void switch_context(const std::string& label);

  /// Launches that start from now on leave no hits, until this is called with false. Launches in flight are not
  /// affected.
  void pause(bool paused);

  /// All data of kernels since the last forget(): the compiled ones, launched or not, and the hits of finished
  /// launches. A launch that another thread has in flight is not in it.
  report::CoverageData data(const report::JournalForm& form = {});

  /// Calls `write` with data(), unless that is empty; then returns false. Hits from now on go into a new journal. When
  /// `write` returns, the files of the old journals are deleted; when it throws, they stay. Data that was written once
  /// is in the next save() again.
  bool save(const report::JournalForm& form, const std::function<void(const report::CoverageData&)>& write);

  /// Forgets the data that the last save() wrote: the next one writes only newer data.
  void forget_saved();

  /// Forgets everything so far, and leaves the files of the journals where they are. A launch in flight counts when it
  /// ends.
  void forget();

 private:
  class ObservedVariant;
  /// Texts that a file had when its kernels were compiled.
  struct Source {
    std::shared_ptr<const std::string> text;  // the latest text
    std::set<std::string> hashes;             // the hashes of all texts (report::source_hash)
    std::set<std::string> declared;           // the hashes that are in the present journal
  };
  std::shared_ptr<const CounterMeaning> interned(std::shared_ptr<const CounterMeaning> meaning);
  uint32_t declare(const CounterMeaning& meaning);
  void declare_source(const std::string& file);
  std::shared_ptr<ContextHits> present_hits(const std::shared_ptr<const CounterMeaning>& meaning);
  std::shared_ptr<ContextHits> hits_in_present_journal(const ContextHits& hits);
  std::shared_ptr<ContextHits> hits_of(const std::shared_ptr<const CounterMeaning>& meaning, uint64_t epoch,
                                       const std::string& label);
  void add_sums(ContextHits& hits, std::span<const uint64_t> counters);
  void enter_epoch();
  uint64_t epoch_of(const std::string& label);
  void note_launches();
  void keep_launches(ObservedVariant& variant);
  void begin_journal();
  bool read_back(Journal& journal, report::JournalData& data) const;

  mutable std::mutex mutex_;
  const SessionOptions session_options_;
  JournalOptions options_;
  std::shared_ptr<Journal> journal_;
  std::vector<std::shared_ptr<Journal>>
      older_journals_;  // journals to which only bits are added; data is made of these and of the present one
  size_t saved_ = 0;    // number of older_journals_, from the first, that have been saved
  std::string label_;   // of the present context
  bool paused_ = false;
  std::atomic<uint64_t> epoch_ = 0;  // at least 1
  uint64_t last_epoch_ = 0;
  std::unordered_map<std::string, uint64_t> epochs_;  // the epoch of each context, by its label
  std::unordered_multimap<size_t, std::shared_ptr<const CounterMeaning>> meanings_;  // by hash
  std::unordered_map<const CounterMeaning*, uint32_t> declared_;                     // their numbers in the journal
  std::unordered_map<const CounterMeaning*, uint64_t> launches_;  // those that the journal does not have yet
  std::unordered_map<uint64_t, std::map<const CounterMeaning*, std::shared_ptr<ContextHits>>> hits_;  // by epoch
  std::set<std::pair<report::JournalFunction, std::string>> errors_;  // those that are in the journals
  std::map<std::string, Source> sources_;                             // by file
  ProbeCap cap_;
  std::set<ObservedVariant*> variants_;

  friend class ForkHandlers;
};

}  // namespace qd::instrument
