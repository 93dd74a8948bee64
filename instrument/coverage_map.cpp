// Arithmetic on CounterSum, a sum of counters with factors.
#include "instrument/coverage_map.h"

namespace qd::instrument {

CounterSum CounterSum::renumbered(std::span<const uint32_t> numbers) const {
  CounterSum result = *this;
  for (Term& term : result.terms_) term.counter = numbers[term.counter];
  return result;
}

CounterSum CounterSum::combined(const CounterSum& other, int32_t factor) const {
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
      if (int32_t sum = a->factor + factor * b->factor) result.terms_.push_back({a->counter, sum});
      ++a, ++b;
    }
  }
  return result;
}

}  // namespace qd::instrument
