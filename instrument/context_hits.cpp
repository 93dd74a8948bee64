// Evaluates the sums of the groups of arcs that were not taken yet, and sets the bits of those that now have.
#include "instrument/context_hits.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace qd::instrument {

ContextHits::ContextHits(std::shared_ptr<const CounterMeaning> meaning_, uint64_t epoch_, std::string label_,
                         std::shared_ptr<Journal> journal, JournalValues bits, std::vector<JournalValues> values)
    : meaning(std::move(meaning_)), epoch(epoch_), label(std::move(label_)), journal_(std::move(journal)), bits_(bits) {
  if (!journal_) {
    all_ = true;
    return;
  }
  for (uint32_t i = 0; i < meaning->groups.size(); ++i) open_.push_back(i, meaning->groups[i].count.terms());
  for (uint32_t i = 0; i < meaning->words.size(); ++i) open_words_.push_back({i, 0});
  for (size_t i = 0; i < values.size(); ++i)
    results_.push_back({values[i], std::vector<uint64_t>(meaning->results[i].results.places.size())});
}

bool ContextHits::add(std::span<const uint64_t> counters) {
  if (all()) return false;
  std::lock_guard lock(mutex_);
  std::vector<size_t> bits;
  for (uint32_t group : close_groups(counters)) {
    const std::vector<uint32_t>& arcs = meaning->groups[group].arcs;
    bits.insert(bits.end(), arcs.begin(), arcs.end());
  }
  bool something_new = !bits.empty();
  std::erase_if(open_words_, [&](OpenWord& open) {
    const CounterMeaning::Word& word = meaning->words[open.index];
    uint64_t fresh = counters[word.counter] & word.all & ~open.seen;
    something_new |= fresh != 0;
    open.seen |= fresh;
    for (; fresh != 0; fresh &= fresh - 1)
      bits.push_back(meaning->arcs.size() + word.first + static_cast<size_t>(std::countr_zero(fresh)));
    return open.seen == word.all;
  });
  bits_.set(bits);
  something_new |= merge_results(counters, false);
  if (open_.sums.empty() && open_words_.empty() && results_.empty()) all_.store(true, std::memory_order_relaxed);
  return something_new;
}

/// Takes out the groups whose sums are positive, and returns them.
std::vector<uint32_t> ContextHits::close_groups(std::span<const uint64_t> counters) {
  std::vector<uint32_t> taken;
  uint32_t begin = 0;
  for (const auto& [group, end] : open_.sums) {
    if (CounterSum::value(std::span(open_.terms).subspan(begin, end - begin), counters) > 0) taken.push_back(group);
    begin = end;
  }
  if (taken.empty()) return taken;
  const OpenSums before = std::exchange(open_, {});
  for (auto next = taken.begin(); const OpenSums::Sum& sum : before.sums) {
    if (next != taken.end() && *next == sum.group)
      ++next;
    else
      open_.push_back(sum.group, meaning->groups[sum.group].count.terms());
  }
  return taken;
}

void ContextHits::OpenSums::push_back(uint32_t group, std::span<const CounterSum::Term> of_group) {
  terms.insert(terms.end(), of_group.begin(), of_group.end());
  sums.push_back({group, static_cast<uint32_t>(terms.size())});
}

void ContextHits::add_sums(std::span<const uint64_t> counters) {
  std::lock_guard lock(mutex_);
  merge_results(counters, true);
}

/// Merges counters into the results that are sums, or into all others. True when a value has changed.
bool ContextHits::merge_results(std::span<const uint64_t> counters, bool sums) {
  bool changed = false;
  for (size_t i = 0; i < results_.size(); ++i) {
    const MappedResults& mapped = meaning->results[i];
    const report::ResultKind& kind = mapped.results.kind;
    if ((kind.merge == report::MergeRule::Add) != sums) continue;
    const std::vector<uint64_t> before = results_[i].merged;
    for (size_t place = 0; place < before.size(); ++place)
      results_[i].merged[place] = kind.merged(before[place], counters[mapped.first_counter + place]);
    if (results_[i].merged == before) continue;
    results_[i].values.put(results_[i].merged, kind.width);
    changed = true;
  }
  return changed;
}

void ContextHits::mark_open(std::vector<bool>& counters) const {
  std::lock_guard lock(mutex_);
  for (const CounterSum::Term& term : open_.terms) counters[term.counter] = true;
  for (const OpenWord& word : open_words_) counters[meaning->words[word.index].counter] = true;
  for (const MappedResults& mapped : meaning->results)
    std::fill_n(counters.begin() + mapped.first_counter, mapped.results.places.size(), true);
}

}  // namespace qd::instrument
