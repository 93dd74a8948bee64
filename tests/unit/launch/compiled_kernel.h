// Compiled code against the interpreter of kernel IR: one random kernel, compiled and run as a launch would.
#pragma once

#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "instrument/lower_probes.h"
#include "runtime/back_ends/back_ends.h"
#include "runtime/device/reference/scalar.h"
#include "runtime/launch/program.h"
#include "runtime/launch/variant.h"
#include "tests/random_kernels/interpret.h"
#include "tests/random_kernels/random_kernel.h"

namespace qd::testing {

using LowerProbes = instrument::CoverageMap(ir::Kernel&);

/// Keeps the map and the counters of the one variant it sees.
class Counting : public LaunchObserver {
 public:
  explicit Counting(LowerProbes* lower) : lower_(lower) {}
  instrument::CoverageMap map;
  std::vector<uint64_t> buffer;
  int launches = 0;

  std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel, const std::string& arch, passes::LaunchCounts,
                                                const std::string&) override {
    map = lower_(kernel);
    buffer.assign(map.counters, 0);
    return std::make_unique<Variant>(*this);
  }

 private:
  LowerProbes* lower_;
  struct Variant : VariantObserver {
    explicit Variant(Counting& owner) : owner(owner) {}
    Counters begin(uint32_t) override { return {0, owner.buffer, epoch_}; }
    void launch_done(uint32_t, std::span<const uint64_t>) override { ++owner.launches; }
    void launch_left(uint32_t) override {}
    bool all_taken() const override { return false; }
    const std::atomic<uint64_t>& epoch() const override { return epoch_; }
    std::atomic<uint64_t> epoch_ = 1;
    Counting& owner;
  };
};

/// A kernel of a seed, run in both ways.
struct BothRuns {
  ir::Kernel kernel;  // as it came from random_kernel; its probes are gone where `probes` is null
  Outcome expected;   // the interpreter's, with its prints as the kernel writes them in `text`
  Outcome actual;     // the compiled code's, without probes and prints
  std::string expected_text, text;
  bool inside = true;    // nothing was written beside the arrays
  std::string compiled;  // the kernel that code was generated from, printed

  bool same() const {
    return inside && actual.failed == expected.failed && actual.results == expected.results &&
           actual.arrays == expected.arrays && text == expected_text;
  }
};

/// The prints of a launch as text, from those of the interpreter.
inline std::string printed(const ir::Kernel& kernel, const Outcome& outcome) {
  std::string text;
  for (const std::string& print : outcome.prints) {
    unsigned format = 0;
    unsigned long long first = 0, second = 0;
    std::sscanf(print.c_str(), "format %u %llx %llx", &format, &first, &second);
    float real = std::bit_cast<float>(static_cast<uint32_t>(second));
    if (kernel.formats[format].types.size() == 2) text += fmt::format("{} {:.3f};", static_cast<int32_t>(first), real);
  }
  return text;
}

/// The making of a kernel from a seed, for run_both.
struct MadeUp {
  KernelOptions options;
  ir::Vectorize vectorize = ir::Vectorize::Chosen;  // of parallel loops
  uint32_t longest = 5;                             // extent of an array
};

/// `observer` null: the kernel without probes.
inline BothRuns run_both(uint32_t seed, Counting* observer, const MadeUp& made_up = {}) {
  BothRuns runs;
  runs.kernel = random_kernel(seed, made_up.options);
  ir::Kernel& kernel = runs.kernel;
  for (ir::LoopInfo& loop : kernel.loops) loop.vectorize = made_up.vectorize;
  kernel.formats[0].pieces.back() = ";";
  if (!observer) {
    for (auto& block : kernel.blocks)
      std::erase_if(block, [&](ir::InstId id) { return kernel[id].op == ir::Op::Probe; });
  }
  const Launch launch = random_launch(kernel, seed, made_up.longest);
  runs.expected = interpret(kernel, launch).outcome;
  runs.expected_text = printed(kernel, runs.expected);

  ArrayMemory memory(kernel, launch);
  auto field_of = [&](uint64_t id) -> FieldUse {
    for (size_t i = 0; i < kernel.arrays.size(); ++i) {
      if (kernel.arrays[i].kind == ir::Array::Kind::Field && kernel.arrays[i].field == id)
        return {std::make_shared<FieldPlace>(memory.slots()[i], nullptr)};
    }
    throw std::logic_error("no such field");
  };
  Config config;
  config.fast_math = false;
  Launcher launcher(back_ends::make("cpu", {.threads = 1}));  // prints and old values have the order of the interpreter
  Variant variant(kernel, "", config, launcher.device(), observer, field_of);
  launcher.print = [&](std::string_view more) { runs.text += more; };
  std::vector<uint64_t> results(kernel.results.size());
  try {
    variant.run(launcher, memory.slots().data(), launch.params.data(), results.data());
    for (size_t i = 0; i < results.size(); ++i)
      runs.actual.results.push_back(device::reference::canonical(kernel.results[i], results[i]));
  } catch (const KernelAssertionError&) {
    runs.actual.failed = true;
  }
  runs.actual.arrays = memory.words();
  runs.inside = memory.is_inside();
  runs.compiled = ir::print(variant.kernel());
  return runs;
}

/// The first arc of which the counters say something else than the interpreter, as "FROM -> TO"; empty when they agree.
inline std::string wrong_arc(const BothRuns& runs, const Counting& observer) {
  std::map<std::pair<int32_t, int32_t>, bool> hit, wanted;
  for (const instrument::MappedArc& arc : observer.map.arcs)
    hit[{arc.from, arc.to}] |= arc.count.value(observer.buffer) > 0;
  for (size_t probe = 0; probe < runs.kernel.probes.size(); ++probe) {
    auto fired = runs.expected.probes.find(static_cast<uint32_t>(probe));
    wanted[{runs.kernel.probes[probe].from, runs.kernel.probes[probe].to}] |=
        fired != runs.expected.probes.end() && fired->second > 0;
  }
  for (auto [arc, taken] : wanted) {
    if (hit[arc] != taken) return fmt::format("{} -> {}", arc.first, arc.second);
  }
  return "";
}

}  // namespace qd::testing
