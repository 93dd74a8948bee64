// What may be asked of a kernel beside its results.
#pragma once

#include <cstdint>

namespace qd::ir {

/// Each has operations of its own, which the front end adds (kObserves) and a pass of instrument/ turns into counters
/// or takes out.
enum class Instrument : uint8_t {
  Arcs,        // which lines and branch edges were taken: Op::Probe
  Conditions,  // what the conditions of decisions were: Op::Condition, Op::Decide
};

/// Any of them at once: bit n for instrument n.
using Instruments = uint8_t;
constexpr Instruments instruments(auto... list) {
  return static_cast<Instruments>((0u | ... | (1u << static_cast<unsigned>(list))));
}
constexpr bool has(Instruments set, Instrument instrument) { return set & instruments(instrument); }

}  // namespace qd::ir
