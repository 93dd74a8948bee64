// A kernel given as text, with memory for one launch of it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/device/reference/interpreter.h"
#include "runtime/ir/kernel.h"

namespace qd::device::reference::testing {

/// The contents of a Message, kept.
struct Told {
  Message::Kind kind;
  uint32_t format;
  int64_t iteration;
  std::vector<uint64_t> values, calls;
  bool operator==(const Told&) const = default;
};

struct Interpreted {
  ir::Kernel kernel;
  std::vector<ArraySlot> arrays;
  std::vector<uint64_t> params, results, temps, counters, probes;
  std::vector<Told> told;
  Options options;

  explicit Interpreted(std::string_view text)
      : kernel(ir::parse(text)),
        arrays(kernel.arrays.size()),
        params(kernel.params.size()),
        results(kernel.results.size()),
        temps(kernel.global_temps),
        counters(kernel.counters),
        probes(kernel.probes.size()) {
    options.tell = [this](const Message& m) {
      told.push_back(
          {m.kind, m.format, m.iteration, {m.values.begin(), m.values.end()}, {m.calls.begin(), m.calls.end()}});
    };
  }

  Interpreter start() {
    return Interpreter(
        kernel, {arrays.data(), params.data(), results.data(), temps.data(), counters.data(), probes.data()}, options);
  }
  Interpreter::State run() { return start().run(); }
};

}  // namespace qd::device::reference::testing
