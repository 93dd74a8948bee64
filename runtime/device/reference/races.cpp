// Entries of touched places: one for each place that the present loop has touched.
#include "runtime/device/reference/races.h"

#include <fmt/format.h>

namespace qd::device::reference {

void Races::touch(uint64_t address, ir::InstId pointer, int64_t iteration, bool atomic, bool write) {
  auto [found, first] = touches_.try_emplace(address, Touch{pointer, iteration});
  Touch& touch = found->second;
  touch.several |= touch.iteration != iteration;
  touch.plain |= !atomic;
  touch.write |= write;
}

void Races::end_loop() {
  for (const auto& [address, touch] : touches_) {
    if (touch.several && touch.plain && touch.write)
      found_.push_back(fmt::format("what %{} points to, at {:#x}", static_cast<uint32_t>(touch.pointer), address));
  }
  touches_.clear();
}

}  // namespace qd::device::reference
