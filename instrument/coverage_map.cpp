// Arithmetic on CounterSum, a sum of counters with factors.
#include "instrument/coverage_map.h"

namespace qd::instrument {

int64_t CounterSum::value(std::span<const uint64_t> counters) const {
  uint64_t sum = 0;
  for (const Term& term : terms_) sum += static_cast<uint64_t>(term.factor) * counters[term.counter];
  return static_cast<int64_t>(sum);
}

CounterSum CounterSum::renumbered(std::span<const uint32_t> numbers) const {
  CounterSum result = *this;
  for (Term& term : result.terms_) term.counter = numbers[term.counter];
  return result;
}

CounterSum CounterSum::combined(const CounterSum& other, int64_t factor) const {
  CounterSum result;
  auto a = terms_.begin();
  auto b = other.terms_.begin();
  while (a != terms_.end() || b != other.terms_.end()) {
    if (b == other.terms_.end() || (a != terms_.end() && a->counter < b->counter)) {
      result.terms_.push_back(*a++);
    } else if (a == terms_.end() || b->counter < a->counter) {
      result.terms_.push_back({b->counter, factor * b->factor});
      ++b;
    } else {
      if (int64_t sum = a->factor + factor * b->factor) result.terms_.push_back({a->counter, sum});
      ++a, ++b;
    }
  }
  return result;
}

}  // namespace qd::instrument
