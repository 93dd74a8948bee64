// Keeps, for each compiled variant and context, a bit for each arc; a launch sets its bits when it ends.
#include "instrument/session.h"

#include <pthread.h>

#include <algorithm>

#include "instrument/lower_probes.h"

namespace qd::instrument {

namespace {

/// What one variant's counters mean: the arcs, grouped by the region whose execution takes them.
struct Meaning {
  struct Region {
    RegionCount count;
    std::vector<uint32_t> arcs;  // indices into `arcs`
  };
  std::vector<std::string> files;
  std::vector<JournalArc> arcs;
  std::vector<Region> regions;
  uint32_t counters = 0;
};

std::shared_ptr<const Meaning> meaning_of(const CoverageMap& map) {
  auto meaning = std::make_shared<Meaning>();
  meaning->counters = map.counters;
  for (const ir::Function& function : map.functions) meaning->files.push_back(function.file);
  for (const MappedArc& arc : map.arcs) {
    auto index = static_cast<uint32_t>(meaning->arcs.size());
    meaning->arcs.push_back({arc.function, {arc.from, arc.to}});
    auto same = std::find_if(meaning->regions.begin(), meaning->regions.end(), [&](const auto& region) { return region.count == arc.count; });
    if (same == meaning->regions.end()) same = meaning->regions.insert(same, {arc.count, {}});
    same->arcs.push_back(index);
  }
  return meaning;
}

}  // namespace

/// The hits of one variant in one epoch.
struct Session::Hits {
  uint64_t epoch = 0;
  std::string context;
  std::shared_ptr<const Meaning> meaning;
  std::shared_ptr<Journal> journal;  // of the bits
  HitBits bits;
  std::mutex mutex;                 // of `open`
  std::vector<uint32_t> open;       // regions that have not run yet
  std::atomic<bool> all = false;    // none is open

  void add(std::span<const uint64_t> counters) {
    if (all.load(std::memory_order_relaxed)) return;
    std::lock_guard lock(mutex);
    std::erase_if(open, [&](uint32_t index) {
      const Meaning::Region& region = meaning->regions[index];
      if (region.count.value(counters) <= 0) return false;
      for (uint32_t arc : region.arcs) bits.set(arc);
      return true;
    });
    if (open.empty()) all.store(true, std::memory_order_relaxed);
  }
};

/// Hands out counters: a set of its own to each launch in flight, so that its sums are those of finished launches when it ends.
class Session::Variant : public VariantObserver {
 public:
  Variant(Session& session, const CoverageMap& map) : session_(session), meaning_(meaning_of(map)) {
    std::lock_guard lock(session_.mutex_);
    session_.variants_.insert(this);
  }
  ~Variant() override {
    std::lock_guard lock(session_.mutex_);
    session_.variants_.erase(this);
    delete idle_.load();
  }

  uint64_t* counters() override {
    uint64_t epoch = session_.epoch_.load(std::memory_order_acquire);
    std::unique_ptr<Set> set(idle_.exchange(nullptr));
    if (!set) set = another();
    if (!set->hits || set->hits->epoch != epoch) {
      set->hits = hits_of(epoch);
      std::fill(set->counters.begin(), set->counters.end(), 0);
    }
    return set.release()->counters.data();
  }

  void launch_done(uint64_t* counters) override {
    std::unique_ptr<Set> set = in_flight(counters);
    set->hits->add(set->counters);
    if (set->hits->all.load(std::memory_order_relaxed)) {
      const uint64_t epoch = set->hits->epoch;
      if (taken_in_.load(std::memory_order_relaxed) != epoch) taken_in_.store(epoch, std::memory_order_relaxed);
    }
    Set* none = nullptr;
    if (idle_.compare_exchange_strong(none, set.get())) {
      set.release();
    } else {
      std::lock_guard lock(mutex_);
      more_.push_back(std::move(set));
    }
  }

  bool all_taken() const override { return taken_in_.load(std::memory_order_relaxed) == session_.epoch_.load(std::memory_order_acquire); }

  const std::shared_ptr<const Meaning>& meaning() const { return meaning_; }
  mutable int64_t list = -1;  // the journal's number of our arcs; guarded by the session
  mutable std::shared_ptr<const Journal> journal;

 private:
  struct Set {
    std::vector<uint64_t> counters;
    std::shared_ptr<Hits> hits;
  };

  std::unique_ptr<Set> another() {
    std::lock_guard lock(mutex_);
    if (!more_.empty()) {
      std::unique_ptr<Set> set = std::move(more_.back());
      more_.pop_back();
      return set;
    }
    auto set = std::make_unique<Set>();
    set->counters.resize(std::max<uint32_t>(1, meaning_->counters));
    sets_[set->counters.data()] = set.get();
    return set;
  }

  std::unique_ptr<Set> in_flight(uint64_t* counters) {
    Set* last = last_.load(std::memory_order_relaxed);
    if (last && last->counters.data() == counters) return std::unique_ptr<Set>(last);
    std::lock_guard lock(mutex_);
    Set* set = sets_.at(counters);
    last_.store(set, std::memory_order_relaxed);
    return std::unique_ptr<Set>(set);
  }

  std::shared_ptr<Hits> hits_of(uint64_t epoch) {
    {
      std::lock_guard lock(mutex_);
      if (latest_ && latest_->epoch == epoch) return latest_;
    }
    // The session's lock comes before ours (see ForkHandlers). Two threads may both begin; what they hit is joined by context.
    std::shared_ptr<Hits> hits = session_.begin_hits(*this);
    std::lock_guard lock(mutex_);
    latest_ = hits;
    return hits;
  }

  Session& session_;
  std::shared_ptr<const Meaning> meaning_;
  std::atomic<Set*> idle_ = nullptr;
  std::atomic<Set*> last_ = nullptr;
  std::atomic<uint64_t> taken_in_ = 0;  // an epoch in which all was taken; from 1
  friend struct ForkHandlers;
  mutable std::mutex mutex_;  // of what follows
  std::map<uint64_t*, Set*> sets_;
  std::vector<std::unique_ptr<Set>> more_;
  std::shared_ptr<Hits> latest_;
};

/// Sessions survive a fork: the child's are empty, and no lock is held in it.
struct ForkHandlers {
  std::mutex mutex;
  std::set<Session*> sessions;

  static void lock(Session& session) {
    session.mutex_.lock();
    for (Session::Variant* variant : session.variants_) variant->mutex_.lock();
  }
  static void unlock(Session& session) {
    for (Session::Variant* variant : session.variants_) variant->mutex_.unlock();
    session.mutex_.unlock();
  }

  static ForkHandlers& instance() {
    static auto* handlers = [] {
      auto* made = new ForkHandlers();
      pthread_atfork(
          [] {
            instance().mutex.lock();
            for (Session* session : instance().sessions) instance().lock(*session);
          },
          [] {
            for (Session* session : instance().sessions) instance().unlock(*session);
            instance().mutex.unlock();
          },
          [] {
            for (Session* session : instance().sessions) {
              instance().unlock(*session);
              session->forget();
            }
            instance().mutex.unlock();
          });
      return made;
    }();
    return *handlers;
  }
};

Session::Session(JournalOptions journal, std::string context, ProbeForm form)
    : form_(form), options_(std::move(journal)), journal_(std::make_shared<Journal>(options_)), context_(std::move(context)) {
  std::lock_guard lock(ForkHandlers::instance().mutex);
  ForkHandlers::instance().sessions.insert(this);
}

Session::~Session() {
  std::lock_guard lock(ForkHandlers::instance().mutex);
  ForkHandlers::instance().sessions.erase(this);
}

std::unique_ptr<VariantObserver> Session::lower_probes(ir::Kernel& kernel) {
  CoverageMap map = form_ == ProbeForm::Counts ? instrument::lower_probes(kernel) : lower_probes_plainly(kernel);
  if (map.arcs.empty()) return nullptr;
  return std::make_unique<Variant>(*this, map);
}

std::shared_ptr<Session::Hits> Session::begin_hits(const Variant& variant) {
  std::lock_guard lock(mutex_);
  auto hits = std::make_shared<Hits>();
  hits->epoch = epoch_.load(std::memory_order_relaxed);
  hits->context = context_;
  hits->meaning = variant.meaning();
  if (variant.journal != journal_) {
    variant.list = journal_->add_arcs(hits->meaning->arcs, hits->meaning->files);
    variant.journal = journal_;
  }
  hits->journal = journal_;
  hits->bits = journal_->add_bits(static_cast<uint32_t>(variant.list), hits->meaning->arcs.size(), context_);
  for (uint32_t i = 0; i < hits->meaning->regions.size(); ++i) {
    if (!hits->meaning->regions[i].count.terms().empty()) hits->open.push_back(i);  // the others never run
  }
  hits_.push_back(hits);
  return hits;
}

void Session::switch_context(const std::string& context) {
  std::lock_guard lock(mutex_);
  if (context == context_) return;
  context_ = context;
  epoch_.fetch_add(1, std::memory_order_release);
}

std::string Session::context() const {
  std::lock_guard lock(mutex_);
  return context_;
}

std::map<std::string, Arcs> Session::hits() const {
  std::lock_guard lock(mutex_);
  std::map<std::string, Arcs> result;
  for (const auto& hits : hits_) {
    for (size_t i = 0; i < hits->meaning->arcs.size(); ++i) {
      const JournalArc& arc = hits->meaning->arcs[i];
      if (hits->bits.get(i)) result[hits->context][hits->meaning->files[arc.file]].insert(arc.arc);
    }
  }
  return result;
}

void Session::forget() {
  std::lock_guard lock(mutex_);
  hits_.clear();
  epoch_.fetch_add(1, std::memory_order_release);
  // The file of the old one stays as it is; launches in flight still set bits in it.
  journal_ = std::make_shared<Journal>(options_);
}

void Session::remove_journal() {
  std::lock_guard lock(mutex_);
  journal_->remove();
}

report::CoverageData to_coverage_data(const std::map<std::string, Arcs>& hits, const DataOptions& options) {
  report::CoverageData data;
  data.has_arcs = options.branch;
  std::string prefix = options.relative_to;
  if (!prefix.empty() && prefix.back() != '/') prefix += '/';
  for (const auto& [label, files] : hits) {
    report::ContextId context = data.context_id(label);
    for (const auto& [file, taken] : files) {
      std::string path = !prefix.empty() && file.starts_with(prefix) ? file.substr(prefix.size()) : file;
      data.files[path];
      for (const report::Arc& arc : taken) {
        if (options.branch) {
          data.add_arc(path, arc, context);
        } else if (arc.from < 0) {
          data.add_line(path, arc.to, context);
        }
      }
    }
  }
  return data;
}

}  // namespace qd::instrument
