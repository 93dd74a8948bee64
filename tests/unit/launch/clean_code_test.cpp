// Launches stop counting when nothing is left to learn, and count again when a context asks.
#include "runtime/launch/clean_code.h"
#include "runtime/back_ends/back_ends.h"
#include "runtime/ir/walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "instrument/session.h"
#include "report/data/producers.h"
#include "runtime/launch/program.h"
#include "tests/unit/instrument/recorded.h"

namespace qd {
namespace {

using ir::Type;
using testing::ThrowsMessage;

const std::string kFolder = QD_SOURCE_DIR "/tests/unit/launch/";
const std::string kFile = kFolder + "kernels.py";
/// Takes every branch of `decide` but that of its last `if`.
const std::vector<int32_t> kAll{200, 3, 0, -9, -9, -2, 1, -9, -9, -9, -9, -9, -9, -9};

size_t arcs(instrument::Session& session, const std::string& label) {
  auto hits = instrument::testing::hits(session);
  size_t count = 0;
  for (const auto& [file, taken] : hits[report::kernel_context(label, "cpu")]) count += taken.size();
  return count;
}

class Decide {
 public:
  Decide(CleanCodeSwitch when, LaunchObserver* observer, bool debug = true) : program(config(when, debug), observer) {
    x = program.ndarray(Type::I32, {static_cast<int32_t>(kAll.size())});
    y = program.ndarray(Type::I32, {static_cast<int32_t>(kAll.size())});
    few = program.ndarray(Type::I32, {0});
  }

  static Config config(CleanCodeSwitch when, bool debug) {
    Config config;
    config.debug = debug;
    config.cpu_max_num_threads = 2;
    config.coverage_switch = when;
    return config;
  }

  /// Result, then y.
  std::vector<int64_t> operator()(const std::vector<int32_t>& values) {
    std::copy(values.begin(), values.end(), x->span<int32_t>().begin());
    std::ranges::fill(y->span<int32_t>(), 0);
    std::vector<int64_t> out{std::get<int64_t>(kernel(x.get(), y.get())[0])};
    out.insert(out.end(), y->span<int32_t>().begin(), y->span<int32_t>().end());
    return out;
  }
  void nothing() { kernel(few.get(), few.get()); }
  bool clean() {
    Argument arguments[] = {x.get(), y.get()};
    return kernel.runs_clean_code(arguments);
  }
  void cover() {
    (*this)(kAll);
    nothing();
  }

  Program program;
  Kernel& kernel = program.load_kernel(kFile, "decide");
  std::unique_ptr<Ndarray> x, y, few;
};

template <class Condition>
bool soon(const Condition& condition) {
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
  }
  return true;
}

TEST(CleanCode, ComesSoonAfterAllIsCovered) {
  instrument::Session session;
  Decide plain(CleanCodeSwitch::Later, nullptr), observed(CleanCodeSwitch::Later, &session);
  const std::vector<int64_t> expected = plain(kAll);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(observed(kAll), expected);
  EXPECT_FALSE(observed.clean()) << "an edge is left";
  const size_t before = arcs(session, "");
  observed.nothing();
  EXPECT_EQ(arcs(session, ""), before + 1);
  EXPECT_FALSE(observed.clean()) << "no launch has asked for it";
  EXPECT_TRUE(soon([&] {
    EXPECT_EQ(observed(kAll), expected);
    return observed.clean();
  }));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(observed(kAll), expected);
  EXPECT_EQ(arcs(session, ""), before + 1);
  EXPECT_EQ(observed.kernel.num_tasks_on_last_call(), plain.kernel.num_tasks_on_last_call());
}

TEST(CleanCode, NeverWhenSwitchedOff) {
  instrument::Session session;
  Decide decide(CleanCodeSwitch::Never, &session);
  for (int i = 0; i < 100; ++i) decide.cover();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(decide.clean());
}

TEST(CleanCode, GivesWayToEachNewContext) {
  instrument::Session session({}, "first");
  Decide decide(CleanCodeSwitch::AtOnce, &session);
  decide.cover();
  decide.cover();
  EXPECT_TRUE(decide.clean());
  session.switch_context("second");
  EXPECT_FALSE(decide.clean());
  decide.nothing();
  EXPECT_FALSE(decide.clean());
  session.switch_context("third");
  decide.cover();
  EXPECT_TRUE(decide.clean());
  decide.cover();
  session.switch_context("fourth");
  EXPECT_EQ(arcs(session, "third"), arcs(session, "first"));
  EXPECT_GT(arcs(session, "second"), 0u);
  EXPECT_LT(arcs(session, "second"), arcs(session, "first"));
  EXPECT_EQ(arcs(session, "fourth"), 0u);
  session.forget();
  decide.nothing();
  EXPECT_GT(arcs(session, "fourth"), 0u);
}

TEST(CleanCode, ReportsFailedAsserts) {
  instrument::Session session;
  Decide plain(CleanCodeSwitch::Never, nullptr), observed(CleanCodeSwitch::AtOnce, &session);
  for (int i = 0; i < 3; ++i) observed.cover();
  ASSERT_TRUE(observed.clean());
  auto message = [](Decide& decide) -> std::string {
    try {
      decide({1, 2, 1234});
    } catch (const KernelAssertionError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message(plain), testing::HasSubstr("x[2] is 1234"));
  EXPECT_EQ(message(observed), message(plain));
}

TEST(CleanCode, LaunchedFromManyThreadsWhileContextsChange) {
  instrument::Session session({}, "start");
  Decide decide(CleanCodeSwitch::Later, &session);
  const std::vector<int64_t> expected = decide(kAll);
  decide.nothing();
  const size_t all = arcs(session, "start");
  std::atomic<int> done = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      auto x = decide.program.ndarray(Type::I32, {static_cast<int32_t>(kAll.size())}),
           y = decide.program.ndarray(Type::I32, {static_cast<int32_t>(kAll.size())});
      std::copy(kAll.begin(), kAll.end(), x->span<int32_t>().begin());
      for (int i = 0; i < 3000; ++i) {
        ASSERT_EQ(std::get<int64_t>(decide.kernel(x.get(), y.get())[0]), expected[0]);
        if (i % 5 == 0) decide.kernel(decide.few.get(), decide.few.get());
      }
      ++done;
    });
  }
  int context = 0;
  while (done < 4) {
    session.switch_context("context " + std::to_string(context++));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  threads.clear();
  session.switch_context("end");
  EXPECT_EQ(arcs(session, "end"), 0u);
  decide.cover();
  EXPECT_EQ(arcs(session, "end"), all);
  EXPECT_TRUE(soon([&] {
    decide.cover();
    return decide.clean();
  }));
}

TEST(CleanCode, ProgramsEndWhileItIsCompiled) {
  instrument::Session session;
  const std::vector<int64_t> expected = Decide(CleanCodeSwitch::Never, nullptr)(kAll);
  size_t all = 0;
  for (int round = 0; round < 20; ++round) {
    const std::string label = "round " + std::to_string(round);
    session.switch_context(label);
    {
      Decide decide(CleanCodeSwitch::Later, &session);
      for (int i = 0; i < 12; ++i) {
        EXPECT_EQ(decide(kAll), expected);
        decide.nothing();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(round % 5 * 8));
      // There is something to learn again, whether or not the clean code is ready.
      session.switch_context(label + ", at the end");
      EXPECT_EQ(decide(kAll), expected);
      decide.nothing();
    }
    if (round == 0) all = arcs(session, label);
    EXPECT_EQ(arcs(session, label), all) << label;
    EXPECT_EQ(arcs(session, label + ", at the end"), all) << label;
  }
  EXPECT_GT(all, 10u);
}

int threads_of_this_process() {
  auto tasks = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<int>(std::distance(begin(tasks), end(tasks)));
}

TEST(CleanCode, ForksWhileItIsCompiled) {
  for (int round = 0; round < 8; ++round) {
    instrument::Session session;
    Decide decide(CleanCodeSwitch::Later, &session);
    for (int i = 0; i < 12; ++i) decide.cover();
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 4));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(60);
      if (threads_of_this_process() != 1) _exit(2);
      if (decide.clean()) _exit(3);  // a child has hit nothing yet
      const bool clean = soon([&] {
        decide.cover();
        return decide.clean();
      });
      _exit(clean && arcs(session, "") > 0 ? 0 : 4);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    ASSERT_EQ(WEXITSTATUS(status), 0);
    EXPECT_TRUE(soon([&] {
      decide.cover();
      return decide.clean();
    }));
  }
}

TEST(CleanCode, DrawsTheSameRandomNumbers) {
  auto numbers = [](CleanCodeSwitch when, LaunchObserver* observer) {
    Program program(Decide::config(when, false), observer);
    auto x = program.ndarray(Type::F32, {5'000});
    for (int i = 0; i < 4; ++i) program.load_kernel(kFile, "draw_decided")(x.get());
    return std::vector<float>(x->span<float>().begin(), x->span<float>().end());
  };
  instrument::Session session;
  const std::vector<float> plain = numbers(CleanCodeSwitch::Never, nullptr);
  EXPECT_EQ(numbers(CleanCodeSwitch::Never, &session), plain);
  EXPECT_EQ(numbers(CleanCodeSwitch::AtOnce, &session), plain);
  EXPECT_EQ(numbers(CleanCodeSwitch::PartlyToo, &session), plain);
}

/// Every kernel of a file, lowered for arguments of its own choice.
std::vector<ir::Kernel> kernels_of(const std::string& file, bool probes, bool debug) {
  syntax::ParseResult parsed = syntax::parse_file(file);
  std::shared_ptr<const syntax::Module> module = std::move(parsed.module);
  auto environment = frontend::module_environment(module, file);
  frontend::Options options;
  options.instruments = probes ? ir::instruments(ir::Instrument::Arcs) : 0;
  options.debug = debug;
  std::vector<ir::Kernel> kernels;
  for (const syntax::Stmt* statement : module->body) {
    const auto* function = std::get_if<syntax::FunctionDef>(&statement->node);
    if (!function) continue;
    auto source = frontend::find_function(module, file, function->name);
    std::vector<frontend::ArgumentType> arguments;
    std::vector<frontend::Warning> warnings;
    try {
      for (const frontend::Parameter& parameter : frontend::signature(*source, *environment, options).parameters) {
        switch (parameter.kind) {
          case frontend::Parameter::Kind::Scalar: arguments.emplace_back(*parameter.type); break;
          case frontend::Parameter::Kind::Array:
            arguments.emplace_back(frontend::ArrayType{parameter.type.value_or(Type::F32), parameter.rank.value_or(1)});
            break;
          case frontend::Parameter::Kind::Template: throw frontend::KernelCompilationError({});
        }
      }
    } catch (const frontend::KernelCompilationError&) {
      continue;  // a func, or one with templates
    }
    kernels.push_back(frontend::lower(*source, *environment, arguments, options, &warnings));
  }
  return kernels;
}

TEST(CleanCode, IsThatOfAProgramWithoutCoverage) {
  int compared = 0;
  const std::shared_ptr<device::Device> device = back_ends::make("cpu", {});
  instrument::Session session;
  std::vector<std::unique_ptr<VariantObserver>> observers;
  for (const std::string& file : {kFile, kFolder + "../../bench/kernels.py"}) {
    for (bool debug : {false, true}) {
      std::vector<ir::Kernel> with = kernels_of(file, true, debug), without = kernels_of(file, false, debug);
      ASSERT_EQ(with.size(), without.size());
      for (size_t i = 0; i < with.size(); ++i) {
        SCOPED_TRACE(with[i].name);
        Config config;
        KernelCode plain(without[i], config, *device);
        auto forms = std::make_shared<Forms>(
            with[i], config, device, session.instruments(),
            [&](ir::Kernel& split) {
              observers.push_back(session.lower_probes(split, "cpu"));
              return true;
            },
            nullptr);
        auto clean = std::make_shared<CleanCode>(forms);
        clean->run();
        ASSERT_NE(clean->ready(), nullptr);
        EXPECT_EQ(clean->ready()->assembly(config), plain.assembly(config));
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 25);
}

TEST(Forms, AreCompiledOnceAndLiveOn) {
  const std::shared_ptr<device::Device> device = back_ends::make("cpu", {});
  instrument::Session session;
  std::unique_ptr<VariantObserver> observer;
  Config config;
  config.coverage_switch = CleanCodeSwitch::Later;
  auto observe = [&](ir::Kernel& split) { return (observer = session.lower_probes(split, "cpu")) != nullptr; };
  Forms forms(kernels_of(kFile, true, false).front(), config, device, session.instruments(), observe, nullptr);
  ASSERT_TRUE(forms.may_switch());
  const size_t counters = forms.first().kernel().counters;
  ASSERT_GT(counters, 0u);
  const KernelCode& clean = forms.compile({});
  const KernelCode& none = forms.compile({session.instruments(), std::vector<bool>(counters, false)});
  EXPECT_NE(&clean, &none);
  EXPECT_EQ(&forms.compile({}), &clean);
  EXPECT_EQ(&forms.compile({session.instruments(), std::vector<bool>(counters, false)}), &none);
  EXPECT_EQ(clean.kernel().counters, 0u);
  EXPECT_EQ(none.kernel().counters, counters);  // numbers of counters stay
  ir::walk(none.kernel(), [&](ir::InstId id) { EXPECT_FALSE(ir::has_effect(none.kernel()[id].op, ir::kCounts)); });

  config.coverage_switch = CleanCodeSwitch::Never;
  EXPECT_FALSE(Forms(kernels_of(kFile, true, false).front(), config, device, session.instruments(), observe, nullptr)
                   .may_switch());
  EXPECT_FALSE(Forms(kernels_of(kFile, false, false).front(), config, device, 0, nullptr, nullptr).may_switch());
}

}  // namespace
}  // namespace qd
