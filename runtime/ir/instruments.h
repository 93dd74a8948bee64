// The instruments: what a kernel can be asked to tell besides its results.
#pragma once

#include <cstdint>

namespace qd::ir {

/// Each instrument has operations of its own. The front end adds them (kObserves), and a pass of instrument/ turns them
/// into counters or takes them out.
enum class Instrument : uint8_t {
  Arcs,        // which lines and branch edges were taken: Op::Probe
  Conditions,  // what the conditions of decisions were: Op::Condition, Op::Decide
};

/// A set of instruments: bit n stands for instrument n.
using Instruments = uint8_t;
constexpr Instruments instruments(auto... list) {
  return static_cast<Instruments>((0u | ... | (1u << static_cast<unsigned>(list))));
}
constexpr bool has(Instruments set, Instrument instrument) { return set & instruments(instrument); }

}  // namespace qd::ir
