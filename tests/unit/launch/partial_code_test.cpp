// Launches of a partly covered kernel count only arcs that can still say something new, and everything again when a
// context asks.
#include "runtime/launch/partial_code.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "instrument/session.h"
#include "report/data/producers.h"
#include "runtime/launch/program.h"
#include "tests/unit/instrument/recorded.h"

namespace qd {
namespace {

using ir::Type;

const std::string kFile = QD_SOURCE_DIR "/tests/unit/launch/kernels.py";
/// Takes every branch of `decide` but that of its last `if`, which no element takes.
const std::vector<int32_t> kMost{200, 3, 0, -9, -9, -2, 1, -9, -9, -9, -9, -9, -9, -9};

/// A session, and how many counters the last launch has changed.
class Watching : public LaunchObserver {
 public:
  explicit Watching(instrument::Session& session) : session_(session) {}
  std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel, const std::string& arch,
                                                passes::LaunchCounts counts, const std::string& text) override {
    std::unique_ptr<VariantObserver> variant = session_.lower_probes(kernel, arch, counts, text);
    return std::make_unique<Variant>(*this, std::move(variant), kernel.counters);
  }
  std::atomic<size_t> changed = 0;

 private:
  struct Variant : VariantObserver {
    Variant(Watching& owner, std::unique_ptr<VariantObserver> inner, uint32_t size)
        : owner(owner), inner(std::move(inner)), size(size) {}
    Counters begin(uint32_t stream) override {
      const Counters counters = inner->begin(stream);
      before.assign(counters.words.begin(), counters.words.end());
      return counters;
    }
    void launch_done(uint32_t id, std::span<const uint64_t> words) override {
      size_t changed = 0;
      for (uint32_t i = 0; i < size; ++i) changed += words[i] != before[i];
      owner.changed = changed;
      inner->launch_done(id, words);
    }
    void launch_left(uint32_t id) override { inner->launch_left(id); }
    bool all_taken() const override { return inner->all_taken(); }
    const std::atomic<uint64_t>& epoch() const override { return inner->epoch(); }
    std::vector<bool> open_counters(uint64_t epoch) const override { return inner->open_counters(epoch); }
    Watching& owner;
    std::unique_ptr<VariantObserver> inner;
    uint32_t size;
    std::vector<uint64_t> before;
  };
  instrument::Session& session_;
};

size_t arcs(instrument::Session& session, const std::string& label) {
  auto hits = instrument::testing::hits(session);
  size_t count = 0;
  for (const auto& [file, taken] : hits[report::kernel_context(label, "cpu")]) count += taken.size();
  return count;
}

class Decide {
 public:
  Decide(CleanCodeSwitch when, LaunchObserver* observer)
      : program(config(when), observer), few(program.ndarray(Type::I32, {0})) {}
  static Config config(CleanCodeSwitch when) {
    Config config;
    config.debug = true;
    config.cpu_max_num_threads = 1;
    config.coverage_switch = when;
    return config;
  }
  int64_t most() {
    auto x = program.ndarray(Type::I32, {static_cast<int32_t>(kMost.size())}),
         y = program.ndarray(Type::I32, {static_cast<int32_t>(kMost.size())});
    std::copy(kMost.begin(), kMost.end(), x->span<int32_t>().begin());
    return std::get<int64_t>(kernel(x.get(), y.get())[0]);
  }
  void rest() { kernel(few.get(), few.get()); }
  bool clean() {
    Argument arguments[] = {few.get(), few.get()};
    return kernel.runs_clean_code(arguments);
  }

  Program program;
  Kernel& kernel = program.load_kernel(kFile, "decide");
  std::unique_ptr<Ndarray> few;
};

TEST(PartialCode, CountsWhatIsLeft) {
  instrument::Session session({}, "first");
  Watching watching(session);
  Decide plain(CleanCodeSwitch::Never, nullptr), decide(CleanCodeSwitch::PartlyToo, &watching);
  const int64_t expected = plain.most();
  EXPECT_EQ(decide.most(), expected);
  const size_t all_counters = watching.changed;
  const size_t most_arcs = arcs(session, "first");
  EXPECT_EQ(decide.most(), expected);
  EXPECT_LT(watching.changed, all_counters);
  EXPECT_EQ(arcs(session, "first"), most_arcs);
  decide.rest();
  EXPECT_EQ(arcs(session, "first"), most_arcs + 1);
  EXPECT_EQ(decide.most(), expected);
  EXPECT_TRUE(decide.clean());

  session.switch_context("second");
  EXPECT_EQ(decide.most(), expected);
  EXPECT_EQ(watching.changed, all_counters);
  EXPECT_EQ(arcs(session, "second"), most_arcs);
  EXPECT_EQ(decide.most(), expected);
  EXPECT_LT(watching.changed, all_counters) << "the code of the first context serves here, too";
  decide.rest();
  EXPECT_EQ(arcs(session, "second"), most_arcs + 1);
}

TEST(PartialCode, ComesWhenNothingNewHasComeForLong) {
  instrument::Session session;
  Watching watching(session);
  Decide decide(CleanCodeSwitch::Later, &watching);
  const int64_t expected = decide.most();
  const size_t all_counters = watching.changed;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (watching.changed == all_counters && std::chrono::steady_clock::now() < end) ASSERT_EQ(decide.most(), expected);
  EXPECT_LT(watching.changed, all_counters);
  EXPECT_FALSE(decide.clean());
}

TEST(PartialCode, LaunchedFromManyThreadsWhileContextsChange) {
  instrument::Session session({}, "start");
  Decide decide(CleanCodeSwitch::PartlyToo, &session);
  const int64_t expected = decide.most();
  const size_t most = arcs(session, "start");
  std::atomic<int> done = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 3000; ++i) ASSERT_EQ(decide.most(), expected);
      ++done;
    });
  }
  std::vector<std::string> contexts;
  while (done < 4) {
    contexts.push_back("context " + std::to_string(contexts.size()));
    session.switch_context(contexts.back());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  threads.clear();
  for (const std::string& context : contexts) {
    const size_t taken = arcs(session, context);
    EXPECT_TRUE(taken == 0 || taken == most) << context << " has " << taken << " of " << most;
  }
  session.switch_context("end");
  decide.most();
  decide.rest();
  EXPECT_EQ(arcs(session, "end"), most + 1);
}

}  // namespace
}  // namespace qd
