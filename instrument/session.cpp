// Keeps, for each kind of compiled code and each context, a bit for each arc; a launch sets its bits when it ends.
#include "instrument/session.h"

#include <utility>

#include "instrument/fork_handlers.h"
#include "instrument/hits.h"
#include "instrument/lower_decisions.h"
#include "instrument/lower_probes.h"
#include "instrument/session_variant.h"
#include "report/data/file_content.h"
#include "report/data/source_hash.h"
#include "runtime/syntax/parse.h"

namespace qd::instrument {

namespace {

constexpr uint64_t kPaused = UINT64_MAX;  // an epoch without hits

}  // namespace

Session::Session(JournalOptions journal, std::string context, SessionOptions options)
    : session_options_(std::move(options)), options_(std::move(journal)), journal_(std::make_shared<Journal>(options_)), context_(std::move(context)), cap_(session_options_.max_probes) {
  enter_epoch();
  ForkHandlers::instance().add(this);
}

Session::~Session() {
  ForkHandlers::instance().remove(this);
}

std::unique_ptr<VariantObserver> Session::lower_probes(ir::Kernel& kernel, passes::LaunchCounts counts) {
  std::vector<ir::Probe> left_out;
  {
    std::lock_guard lock(mutex_);
    left_out = cap_.apply(kernel);
  }
  CoverageMap map = session_options_.form == ProbeForm::Counts ? instrument::lower_probes(kernel, counts) : lower_probes_plainly(kernel);
  lower_decisions(kernel, map);
  auto made = std::make_shared<const Meaning>(map, left_out);
  std::lock_guard lock(mutex_);
  std::shared_ptr<const Meaning> meaning = interned(std::move(made));
  if (!paused_) declare(*meaning);
  if (meaning->bits() == 0) return nullptr;
  return std::make_unique<Variant>(*this, std::move(meaning));
}

/// A kernel that is compiled again means the same: its hits go on. The lock is held.
std::shared_ptr<const Meaning> Session::interned(std::shared_ptr<const Meaning> meaning) {
  size_t hash = meaning->counters;
  for (const JournalArc& arc : meaning->arcs) hash = (hash * 31 + static_cast<uint32_t>(arc.arc.from)) * 31 + static_cast<uint32_t>(arc.arc.to);
  auto [first, last] = meanings_.equal_range(hash);
  for (; first != last; ++first) {
    if (*first->second == *meaning) return first->second;
  }
  meanings_.emplace(hash, meaning);
  return meaning;
}

void Session::compile_failed(const ir::Function& kernel, const std::string& message) {
  const JournalFunction function = journal_function(kernel, true);
  std::lock_guard lock(mutex_);
  if (paused_) return;
  if (catalogue_[function.file][function.function].errors.insert(message).second) journal_->add_error(function, message);
}

/// Makes compiled code known, in memory and in the journal; gives its number there. The lock is held.
uint32_t Session::declare(const Meaning& meaning) {
  auto [number, fresh] = declared_.try_emplace(&meaning);
  if (!fresh) return number->second;
  std::vector<report::Probes*> probes;
  for (const JournalFunction& function : meaning.functions) probes.push_back(&catalogue_[function.file][function.function]);
  for (const JournalArc& arc : meaning.arcs) probes[arc.function]->measured.insert(arc.arc);
  for (const JournalArc& arc : meaning.left_out) probes[arc.function]->left_out.insert(arc.arc);
  for (const CompiledDecision& decision : meaning.decisions) {
    const JournalFunction& function = meaning.functions[decision.function];
    decisions_[function.file].try_emplace(decision.range, RecordedDecision{function.function.first_line, decision.kind, decision.conditions, {}});
  }
  for (const JournalFunction& function : meaning.functions) {
    note_version(function.file);
    for (const std::string& hash : versions_[function.file])
      if (declared_versions_[function.file].insert(hash).second) journal_->add_source(function.file, hash);
  }
  return number->second = journal_->add_variant(meaning.functions, meaning.arcs, meaning.left_out, meaning.decisions);
}

/// Of which text a file is now that one of its kernels was compiled. The lock is held.
void Session::note_version(const std::string& file) {
  std::set<std::string>& hashes = versions_[file];
  const std::shared_ptr<const std::string> text = session_options_.text_of ? session_options_.text_of(file) : nullptr;
  if (!hashes.empty() && text == std::exchange(texts_[file], text)) return;
  const std::optional<std::string> bytes = report::read_bytes(file);
  // Other encodings and line ends have the same text.
  std::string now = bytes ? syntax::decode_source(*bytes) : "";
  if (!now.empty() && now.back() != '\n') now += '\n';
  if (bytes && (!text || *text == now)) hashes.insert(report::source_hash(*bytes));
  else if (text) hashes.insert(report::source_hash(*text));
}

Versions Session::versions() const {
  std::lock_guard lock(mutex_);
  return versions_;
}

/// What launches hit in the present epoch. A context that comes again goes on with its record, so that a change costs the same after a thousand others.
std::shared_ptr<Hits> Session::present_hits(const std::shared_ptr<const Meaning>& meaning) {
  std::lock_guard lock(mutex_);
  const uint64_t epoch = epoch_.load(std::memory_order_relaxed);
  if (paused_) return std::make_shared<Hits>(meaning, epoch, context_, nullptr, HitBits());  // nothing is to be learnt, and nobody keeps it
  return hits_of(meaning, epoch, context_);
}

/// For a launch that was in flight when another journal was begun: what it reached must be there too, for whoever wrote the hits of the old one did not
/// see it. Null when `hits` are of the present journal, or of none.
std::shared_ptr<Hits> Session::hits_in_present_journal(const Hits& hits) {
  std::lock_guard lock(mutex_);
  if (hits.belongs_to(journal_)) return nullptr;
  return hits_of(hits.meaning, epoch_of(hits.context), hits.context);
}

/// The lock is held.
std::shared_ptr<Hits> Session::hits_of(const std::shared_ptr<const Meaning>& meaning, uint64_t epoch, const std::string& context) {
  std::shared_ptr<Hits>& hits = hits_[epoch][meaning.get()];
  if (!hits) hits = std::make_shared<Hits>(meaning, epoch, context, journal_, journal_->add_bits(declare(*meaning), meaning->bits(), context));
  return hits;
}

void Session::switch_context(const std::string& context) {
  std::lock_guard lock(mutex_);
  context_ = context;
  enter_epoch();
}

void Session::pause(bool paused) {
  std::lock_guard lock(mutex_);
  paused_ = paused;
  enter_epoch();
}

/// A context has one epoch until everything is forgotten; pauses have their own. The lock is held.
void Session::enter_epoch() {
  epoch_.store(paused_ ? kPaused : epoch_of(context_), std::memory_order_release);
}

uint64_t Session::epoch_of(const std::string& context) {
  auto [epoch, fresh] = epochs_.try_emplace(context, last_epoch_ + 1);
  if (fresh) ++last_epoch_;
  return epoch->second;
}

std::string Session::context() const {
  std::lock_guard lock(mutex_);
  return context_;
}

std::map<std::string, Arcs> Session::hits() const {
  std::lock_guard lock(mutex_);
  std::map<std::string, Arcs> result;
  for (const auto& [epoch, of_epoch] : hits_) {
    for (const auto& [meaning, hits] : of_epoch) {
      for (size_t i = 0; i < meaning->arcs.size(); ++i) {
        const JournalArc& arc = meaning->arcs[i];
        if (hits->get(i)) result[hits->context][meaning->functions[arc.function].file].insert(arc.arc);
      }
    }
  }
  return result;
}

Catalogue Session::catalogue() const {
  std::lock_guard lock(mutex_);
  return catalogue_;
}

Decisions Session::decisions() const {
  std::lock_guard lock(mutex_);
  Decisions result = decisions_;
  for (const auto& [epoch, of_epoch] : hits_) {
    for (const auto& [meaning, hits] : of_epoch) {
      size_t bit = meaning->arcs.size();
      for (const CompiledDecision& decision : meaning->decisions) {
        RecordedDecision& known = result[meaning->functions[decision.function].file][decision.range];
        for (const report::Evaluation& outcome : decision.outcomes) {
          if (hits->get(bit++)) known.evaluations[hits->context].insert(outcome);
        }
      }
    }
  }
  return result;
}

void Session::forget() {
  std::lock_guard lock(mutex_);
  hits_.clear();
  catalogue_.clear();
  decisions_.clear();
  change_journal();
}

std::shared_ptr<Journal> Session::begin_journal() {
  std::lock_guard lock(mutex_);
  return change_journal();
}

/// The file of the old one stays as it is; launches in flight set their bits in both. The lock is held.
std::shared_ptr<Journal> Session::change_journal() {
  declared_.clear();
  declared_versions_.clear();
  epochs_.clear();
  enter_epoch();
  return std::exchange(journal_, std::make_shared<Journal>(options_));
}

}  // namespace qd::instrument
