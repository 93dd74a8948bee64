// Coverage session: keeps a bit for each arc, counter meaning and context. A launch sets its bits when it ends.
#include "instrument/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "instrument/context_hits.h"
#include "instrument/fork_handlers.h"
#include "instrument/lower_probes.h"
#include "instrument/message.h"
#include "instrument/observed_variant.h"
#include "report/data/file_content.h"
#include "report/data/source_hash.h"
#include "runtime/syntax/parse.h"

namespace qd::instrument {

namespace {

constexpr uint64_t kPaused = UINT64_MAX;  // the epoch in which nothing is recorded

}  // namespace

Session::Session(JournalOptions journal, std::string label, SessionOptions options)
    : session_options_(std::move(options)),
      options_(std::move(journal)),
      journal_(std::make_shared<Journal>(options_)),
      label_(std::move(label)),
      cap_(session_options_.max_probes) {
  enter_epoch();
  ForkHandlers::instance().add(this);
}

Session::~Session() { ForkHandlers::instance().remove(this); }

std::unique_ptr<VariantObserver> Session::lower_probes(ir::Kernel& kernel, const std::string& arch,
                                                       passes::LaunchCounts counts, const std::string& variant) {
  std::vector<ir::Probe> left_out;
  {
    std::lock_guard lock(mutex_);
    left_out = cap_.apply(kernel);
  }
  join_many_variants(kernel);
  CoverageMap map =
      session_options_.lower_probes ? session_options_.lower_probes(kernel) : instrument::lower_probes(kernel, counts);
  lower_decisions(kernel, map);
  if (session_options_.more) session_options_.more(kernel, map);
  auto made = std::make_shared<const CounterMeaning>(map, left_out, arch, variant);
  std::lock_guard lock(mutex_);
  std::shared_ptr<const CounterMeaning> meaning = interned(std::move(made));
  if (!paused_) declare(*meaning);
  if (!meaning->tells()) return nullptr;
  return std::make_unique<ObservedVariant>(*this, std::move(meaning));
}

/// Returns the equal meaning that is already there, if there is one: a kernel that is compiled again goes on with its
/// hits. The caller holds the lock.
std::shared_ptr<const CounterMeaning> Session::interned(std::shared_ptr<const CounterMeaning> meaning) {
  size_t hash = meaning->counters + std::hash<std::string>()(meaning->variant);
  for (const report::JournalArc& arc : meaning->arcs)
    hash = (hash * 31 + static_cast<uint32_t>(arc.arc.from)) * 31 + static_cast<uint32_t>(arc.arc.to);
  auto [first, last] = meanings_.equal_range(hash);
  for (; first != last; ++first) {
    if (*first->second == *meaning) return first->second;
  }
  meanings_.emplace(hash, meaning);
  return meaning;
}

ir::Instruments Session::instruments() const {
  using ir::Instrument;
  ir::Instruments result = ir::instruments(Instrument::Arcs);
  if (session_options_.conditions) result = result | ir::instruments(Instrument::Conditions);
  if (session_options_.gradients) result = result | ir::instruments(Instrument::Derivatives);
  return result;
}

void Session::compile_failed(const ir::Function& kernel, const std::string& message, const std::string& arch) {
  const report::JournalFunction function = journal_function(kernel, true, arch);
  std::lock_guard lock(mutex_);
  if (paused_) return;
  if (errors_.emplace(function, message).second) journal_->add_error(function, message);
}

/// Declares compiled code in the journal, and returns its number there. The caller holds the lock.
uint32_t Session::declare(const CounterMeaning& meaning) {
  auto [number, fresh] = declared_.try_emplace(&meaning);
  if (!fresh) return number->second;
  for (const report::JournalFunction& function : meaning.functions) declare_source(function.file);
  number->second = journal_->add_variant(meaning.functions, meaning.arcs, meaning.left_out, meaning.decisions);
  if (!meaning.variant.empty()) journal_->add_variant_text(number->second, meaning.variant);
  if (meaning.functions.size() > 1) journal_->add_func_variants(number->second, meaning.func_variants, meaning.arcs);
  for (const MappedResults& mapped : meaning.results) journal_->add_results(number->second, mapped.results);
  return number->second;
}

/// Records in the journal the hash of a file's text, now that one of its kernels was compiled. The caller holds the
/// lock.
void Session::declare_source(const std::string& file) {
  Source& source = sources_[file];
  const std::shared_ptr<const std::string> text = session_options_.text_of ? session_options_.text_of(file) : nullptr;
  if (source.hashes.empty() || text != source.text) {
    source.text = text;
    const std::optional<std::string> bytes = report::read_bytes(file);
    // A text may have other encodings and line ends in the file.
    std::string now = bytes ? syntax::decode_source(*bytes) : "";
    if (!now.empty() && now.back() != '\n') now += '\n';
    if (bytes && (!text || *text == now))
      source.hashes.insert(report::source_hash(*bytes));
    else if (text)
      source.hashes.insert(report::source_hash(*text));
  }
  for (const std::string& hash : source.hashes)
    if (source.declared.insert(hash).second) journal_->add_source(file, hash);
}

/// Hits for launches of the present epoch. A context that comes again goes on with its record, so that a change of
/// context costs the same after a thousand others.
std::shared_ptr<ContextHits> Session::present_hits(const std::shared_ptr<const CounterMeaning>& meaning) {
  std::lock_guard lock(mutex_);
  const uint64_t epoch = epoch_.load(std::memory_order_relaxed);
  if (paused_)
    return std::make_shared<ContextHits>(meaning, epoch, label_, nullptr, JournalValues(),
                                         std::vector<JournalValues>());  // nothing to learn; the record is not kept
  return hits_of(meaning, epoch, label_);
}

/// Hits in the new journal for a launch that was in flight when that journal was begun. Its arcs must be in the new
/// journal too, because the data that was made of the old journal may lack them. Null when `hits` are of the present
/// journal, or of none.
std::shared_ptr<ContextHits> Session::hits_in_present_journal(const ContextHits& hits) {
  std::lock_guard lock(mutex_);
  if (hits.belongs_to(journal_)) return nullptr;
  return hits_of(hits.meaning, epoch_of(hits.label), hits.label);
}

/// Hits of a meaning in an epoch. The caller holds the lock.
std::shared_ptr<ContextHits> Session::hits_of(const std::shared_ptr<const CounterMeaning>& meaning, uint64_t epoch,
                                              const std::string& label) {
  std::shared_ptr<ContextHits>& hits = hits_[epoch][meaning.get()];
  if (hits) return hits;
  const uint32_t variant = declare(*meaning);
  const JournalValues bits = journal_->add_hits(variant, meaning->bits(), label);
  std::vector<JournalValues> values;
  for (const MappedResults& mapped : meaning->results)
    values.push_back(journal_->add_values(variant, static_cast<uint32_t>(values.size() + 1), mapped.results, label));
  return hits = std::make_shared<ContextHits>(meaning, epoch, label, journal_, bits, std::move(values));
}

/// Adds the sums of a launch to the present journal, wherever its hits are: each journal has the launches that ended in
/// its time.
void Session::add_sums(ContextHits& hits, std::span<const uint64_t> counters) {
  std::lock_guard lock(mutex_);
  if (hits.belongs_to(nullptr)) return;  // a launch in a pause
  if (hits.belongs_to(journal_))
    hits.add_sums(counters);
  else
    hits_of(hits.meaning, epoch_of(hits.label), hits.label)->add_sums(counters);
}

void Session::switch_context(const std::string& label) {
  std::lock_guard lock(mutex_);
  label_ = label;
  enter_epoch();
}

void Session::pause(bool paused) {
  std::lock_guard lock(mutex_);
  note_launches();
  paused_ = paused;
  enter_epoch();
}

/// Sets the present epoch. A context has one epoch until everything is forgotten; a pause has an epoch of its own. The
/// caller holds the lock.
void Session::enter_epoch() { epoch_.store(paused_ ? kPaused : epoch_of(label_), std::memory_order_release); }

uint64_t Session::epoch_of(const std::string& label) {
  auto [epoch, fresh] = epochs_.try_emplace(label, last_epoch_ + 1);
  if (fresh) ++last_epoch_;
  return epoch->second;
}

/// Adds to the journal the launches of kernels since the last call. Nothing is written while they run: a process that
/// is killed leaves no count of its last launches. The caller holds the lock.
void Session::note_launches() {
  for (ObservedVariant* variant : variants_) keep_launches(*variant);
  for (const auto& [meaning, launches] : launches_) journal_->add_launches(declare(*meaning), launches);
  launches_.clear();
}

/// Keeps the number of launches of a variant by its meaning: a kernel may be compiled again and again, and the journal
/// does not grow with it. Launches in a pause do not count. The caller holds the lock.
void Session::keep_launches(ObservedVariant& variant) {
  const uint64_t launches = variant.take_launches();
  if (launches > 0 && !paused_ && !variant.meaning().of_derivatives()) launches_[&variant.meaning()] += launches;
}

report::CoverageData Session::data(const report::JournalForm& form) {
  std::vector<std::shared_ptr<Journal>> journals;
  {
    std::lock_guard lock(mutex_);
    note_launches();
    journals = older_journals_;
    journals.push_back(journal_);
  }
  report::JournalData data(form);
  for (const std::shared_ptr<Journal>& journal : journals) read_back(*journal, data);
  return data.take();
}

/// Reads a journal as after a crash. False when a part of it cannot be used, which is reported on stderr.
bool Session::read_back(Journal& journal, report::JournalData& data) const {
  std::string image;
  {
    std::lock_guard lock(mutex_);  // for forks
    image = journal.image();
  }
  if (image.empty()) return true;
  report::JournalRecords records(image);
  if (records.good()) data.add(records);
  const std::string damage = records.good() ? records.damage() : "cannot be read";
  if (!damage.empty()) tell(fmt::format("kernel coverage journal {} {}", journal.path(), damage));
  return damage.empty();
}

bool Session::save(const report::JournalForm& form, const std::function<void(const report::CoverageData&)>& write) {
  std::vector<std::shared_ptr<Journal>> journals;
  {
    std::lock_guard lock(mutex_);
    begin_journal();  // launches from now on are in the new journal
    journals = older_journals_;
  }
  report::JournalData reader(form);
  std::vector<bool> whole;
  for (const std::shared_ptr<Journal>& journal : journals) whole.push_back(read_back(*journal, reader));
  const report::CoverageData data = reader.take();
  if (!data.files.empty()) write(data);
  for (size_t i = 0; i < journals.size(); ++i)
    if (whole[i]) journals[i]->remove();
  std::lock_guard lock(mutex_);
  saved_ = std::min(journals.size(), older_journals_.size());
  return !data.files.empty();
}

void Session::forget_saved() {
  std::lock_guard lock(mutex_);
  older_journals_.erase(older_journals_.begin(),
                        older_journals_.begin() + static_cast<ptrdiff_t>(std::exchange(saved_, 0)));
  errors_.clear();
}

void Session::forget() {
  std::lock_guard lock(mutex_);
  begin_journal();
  older_journals_.clear();
  saved_ = 0;
  errors_.clear();
}

/// Begins a new journal. The old file stays as it is, and launches in flight set their bits in both. The caller holds
/// the lock.
void Session::begin_journal() {
  note_launches();
  declared_.clear();
  for (auto& [file, source] : sources_) source.declared.clear();
  epochs_.clear();
  hits_.clear();
  enter_epoch();
  std::shared_ptr<Journal> old = std::exchange(journal_, std::make_shared<Journal>(options_));
  if (!old->empty()) older_journals_.push_back(std::move(old));
}

}  // namespace qd::instrument
