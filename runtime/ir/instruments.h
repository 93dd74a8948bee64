// Instruments: kinds of data that a kernel can record besides its results, such as the arcs it takes.
#pragma once

#include <cstdint>

namespace qd::ir {

/// Each instrument has operations of its own. The front end adds them (kObserves), and a pass of instrument/ turns them
/// into counters or takes them out.
enum class Instrument : uint8_t {
  Arcs,         // lines and branch edges that were taken: Op::Probe
  Conditions,   // outcomes of the conditions of decisions: Op::Condition, Op::Decide
  Derivatives,  // lines whose derivative was computed: Op::Probe (derivative_probe.h), which autodiff adds
};

/// A set of instruments: bit n stands for instrument n.
using Instruments = uint8_t;
constexpr Instruments instruments(auto... list) {
  return static_cast<Instruments>((0u | ... | (1u << static_cast<unsigned>(list))));
}
constexpr bool has(Instruments set, Instrument instrument) { return set & instruments(instrument); }

}  // namespace qd::ir
