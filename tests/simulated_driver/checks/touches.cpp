#include "tests/simulated_driver/checks/touches.h"

namespace qd::simulated {
namespace {

/// Keeps two touches between which there is no order, and of different subgroups if there are such.
void note(const Moments& moments, std::array<Touch, 2>& kept, const Touch& touch) {
  auto is_over = [&](const Touch& old) { return !old.is_there || moments.is_before(old.moment, touch.moment.thread); };
  if (is_over(kept[0])) {
    kept[0] = touch;
  } else if (is_over(kept[1]) || moments.are_in_one_subgroup(kept[0].moment, kept[1].moment)) {
    kept[1] = touch;
  }
}

}  // namespace

std::optional<Touch> Touches::add(const Moments& moments, uint64_t place, const Touch& touch, bool same) {
  const uint64_t number = place / kPageSize;
  if (!last_ || number != last_number_) {
    std::unique_ptr<Page>& page = pages_[number];
    if (!page) page = std::make_unique<Page>();
    last_ = page.get();
    last_number_ = number;
  }
  LastTouches& known = (*last_)[place % kPageSize];
  auto races = [&](const Touch& old) { return old.is_there && !moments.is_before(old.moment, touch.moment.thread); };
  std::optional<Touch> found;
  auto look = [&](const Touch& old) {
    if (!found && races(old)) found = old;
  };
  const bool stores = touch.kind == AccessKind::Store;
  if (!stores || !same) look(known.store);
  if (stores || touch.kind == AccessKind::Atomic) {
    for (const Touch& load : known.loads) {
      if (stores || load.kind == AccessKind::Load) look(load);
    }
  }
  if (stores || touch.kind == AccessKind::Load) {
    for (const Touch& atomic : known.atomics) look(atomic);
  }
  switch (touch.kind) {
    case AccessKind::Store: known.store = touch; break;
    case AccessKind::Load:
    case AccessKind::AtomicLoad: note(moments, known.loads, touch); break;
    case AccessKind::Atomic: note(moments, known.atomics, touch); break;
  }
  return found;
}

}  // namespace qd::simulated
