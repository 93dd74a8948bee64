// Compiled code against the interpreter of kernel IR: random kernels, without probes and with their probes lowered to counters.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "instrument/lower_probes.h"
#include "runtime/launch/program.h"
#include "runtime/launch/variant.h"
#include "tests/unit/passes/interpreter.h"
#include "tests/unit/passes/random_kernel.h"
#include "tests/unit/passes/scalar.h"

namespace qd {
namespace {

using passes::testing::Outcome;

constexpr uint32_t kKernels = 100;

using Lower = instrument::CoverageMap(ir::Kernel&);

/// Keeps the map and the counters of the one variant it sees.
class Counting : public LaunchObserver {
 public:
  explicit Counting(Lower* lower) : lower_(lower) {}
  instrument::CoverageMap map;
  std::vector<uint64_t> buffer;
  int launches = 0;

  std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel) override {
    map = lower_(kernel);
    buffer.assign(map.counters, 0);
    return std::make_unique<Variant>(*this);
  }

 private:
  Lower* lower_;
  struct Variant : VariantObserver {
    explicit Variant(Counting& owner) : owner(owner) {}
    Counters counters() override { return {owner.buffer.data(), epoch_}; }
    void launch_done(uint64_t*) override { ++owner.launches; }
    void launch_left(uint64_t*) override {}
    bool all_taken() const override { return false; }
    const std::atomic<uint64_t>& epoch() const override { return epoch_; }
    std::atomic<uint64_t> epoch_ = 1;
    Counting& owner;
  };
};

/// Arrays in memory as the code sees them.
struct Memory {
  std::vector<std::vector<char>> bytes;
  std::vector<ArraySlot> slots;

  Memory(const ir::Kernel& kernel, const passes::testing::Launch& launch) {
    for (size_t i = 0; i < launch.arrays.size(); ++i) {
      const int size = ir::size_in_bytes(kernel.arrays[i].type);
      bytes.emplace_back(launch.arrays[i].size() * size + 8);
      for (size_t k = 0; k < launch.arrays[i].size(); ++k) std::memcpy(bytes[i].data() + k * size, &launch.arrays[i][k], size);
      ArraySlot slot{bytes[i].data(), {}};
      std::copy(launch.shapes[i].begin(), launch.shapes[i].end(), slot.shape);
      slots.push_back(slot);
    }
  }

  std::vector<std::vector<uint64_t>> arrays(const ir::Kernel& kernel, const passes::testing::Launch& launch) const {
    std::vector<std::vector<uint64_t>> out;
    for (size_t i = 0; i < bytes.size(); ++i) {
      const int size = ir::size_in_bytes(kernel.arrays[i].type);
      std::vector<uint64_t>& words = out.emplace_back(launch.arrays[i].size());
      for (size_t k = 0; k < words.size(); ++k) {
        std::memcpy(&words[k], bytes[i].data() + k * size, size);
        words[k] = passes::testing::canonical(kernel.arrays[i].type, words[k]);
      }
    }
    return out;
  }
};

/// What the interpreter's prints are here.
std::string printed(const ir::Kernel& kernel, const Outcome& outcome) {
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

void check(Lower* probes) {
  Config config;
  config.fast_math = false;
  int failed = 0, finished = 0, prints = 0;
  for (uint32_t seed = 0; seed < kKernels; ++seed) {
    SCOPED_TRACE(seed);
    ir::Kernel kernel = passes::testing::random_kernel(seed);
    kernel.formats[0].pieces.back() = ";";
    if (!probes) {
      for (auto& block : kernel.blocks) std::erase_if(block, [&](ir::InstId id) { return kernel[id].op == ir::Op::Probe; });
    }
    const passes::testing::Launch launch = passes::testing::random_launch(kernel, seed);
    const Outcome expected = passes::testing::interpret(kernel, launch).outcome;

    Counting observer(probes);
    Memory memory(kernel, launch);
    auto field_slot = [&](uint64_t id) -> const ArraySlot& {
      for (size_t i = 0; i < kernel.arrays.size(); ++i) {
        if (kernel.arrays[i].kind == ir::Array::Kind::Field && kernel.arrays[i].field == id) return memory.slots[i];
      }
      throw std::logic_error("no such field");
    };
    Variant variant(kernel, config, probes ? &observer : nullptr, field_slot);
    Machine machine(1, 0);  // prints and old values have the order of the interpreter
    std::string text;
    machine.print = [&](std::string_view more) { text += more; };
    Outcome actual;
    std::vector<uint64_t> results(kernel.results.size());
    try {
      variant.launch(machine, memory.slots.data(), launch.params.data(), results.data());
      for (size_t i = 0; i < results.size(); ++i) actual.results.push_back(passes::testing::canonical(kernel.results[i], results[i]));
    } catch (const KernelAssertionError&) {
      actual.failed = true;
    }
    actual.arrays = memory.arrays(kernel, launch);

    ASSERT_EQ(actual.failed, expected.failed) << ir::print(kernel);
    ASSERT_EQ(actual.results, expected.results) << ir::print(kernel);
    ASSERT_EQ(actual.arrays, expected.arrays) << ir::print(kernel);
    ASSERT_EQ(text, printed(kernel, expected)) << ir::print(kernel);
    (actual.failed ? failed : finished)++;
    prints += !text.empty();
    if (!probes) continue;
    EXPECT_EQ(observer.launches, 1);
    std::map<std::pair<int32_t, int32_t>, bool> hit, wanted;
    for (const instrument::MappedArc& arc : observer.map.arcs) hit[{arc.from, arc.to}] |= arc.count.value(observer.buffer) > 0;
    for (size_t probe = 0; probe < kernel.probes.size(); ++probe) {
      auto fired = expected.probes.find(static_cast<uint32_t>(probe));
      wanted[{kernel.probes[probe].from, kernel.probes[probe].to}] |= fired != expected.probes.end() && fired->second > 0;
    }
    for (auto [arc, taken] : wanted) ASSERT_EQ(hit[arc], taken) << arc.first << " -> " << arc.second << "\n" << ir::print(kernel) << ir::print(variant.kernel());
  }
  // The test says something only while all of these happen.
  EXPECT_GT(failed, 8);
  EXPECT_GT(finished, 40);
  EXPECT_GT(prints, 5);
}

TEST(CompiledKernels, DoWhatTheInterpreterDoes) { check(nullptr); }
TEST(CompiledKernels, CountWhatTheInterpreterReaches) { check(instrument::lower_probes); }
TEST(CompiledKernels, MarkWhatTheInterpreterReaches) { check(instrument::lower_probes_plainly); }

}  // namespace
}  // namespace qd
