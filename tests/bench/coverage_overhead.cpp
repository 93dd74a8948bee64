// Cost of coverage: each kernel with coverage against the same without, in interleaved rounds. A ratio is that of
// the fastest rounds, which other work on the machine disturbs least, followed by half the interquartile range of the
// rounds' own ratios.
//   coverage_overhead [NAME...]         only the kernels whose name contains one of these
//   coverage_overhead --ARCH [NAME...]  on a device that is here: --vulkan, --cuda, --amdgpu
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "instrument/session.h"
#include "runtime/ir/counters.h"
#include "runtime/launch/program.h"
#include "tests/plain_probes/lower_probes_plainly.h"

namespace {

using qd::CleanCodeSwitch;
using qd::instrument::SessionOptions;
using qd::ir::Type;

constexpr int kRounds = 11;
constexpr int kCompilations = 7;
constexpr double kRoundSeconds = 0.006;  // a side runs at least this long in each round
constexpr int kMostSwitches = 500;       // launches a round where each has a context of its own
constexpr int kBranches = 200;           // of the generated kernel
constexpr std::chrono::milliseconds kPartialCode{
    600};  // enough for launch/partial_code to replace what counts everything

const std::filesystem::path kFile = QD_SOURCE_DIR "/tests/bench/overhead_kernels.py";

struct Benchmark {
  const char* kernel;
  enum class Shape { Line, Bins, Square } shape = Shape::Line;
  std::array<int32_t, 3> sizes{2'000, 1'000'000, 30'000'000};  // elements of each of two arrays
  bool tiny = false;
};

using Shape = Benchmark::Shape;
const std::vector<Benchmark> kBenchmarks = {
    {"saxpy_branch"},
    {"update_with_continue"},
    {"stencil_edges", Shape::Square},
    {"mandelbrot", Shape::Square, {2'000, 250'000, 4'000'000}},
    {"bilateral", Shape::Square, {2'000, 250'000, 1920 * 1080}},
    {"nbody", Shape::Line, {500, 2'000, 8'000}},
    {"particle_to_grid"},
    {"histogram", Shape::Bins},
    {"sort_network"},
    {"collatz", Shape::Line, {2'000, 250'000, 4'000'000}},
    {"nested_ifs"},
    {"decisions"},
    {"sum_of_some"},
    {"search", Shape::Line, {2'000, 500'000, 10'000'000}},
    {"inlined_funcs"},
    {"branches", Shape::Line, {2'000, 200'000, 4'000'000}},
    {"tiny", Shape::Line, {8, 16, 64}, true},
};
constexpr std::array<const char*, 3> kSizeNames{"L1", "L3", "memory"};

std::string arch = "cpu";
bool on_cpu() { return arch == "cpu"; }

/// Processor time of this thread, or where others work too the time of day.
double now(bool alone) {
  if (!alone) return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double fastest(const std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

/// A kernel of many branches, each with a body that no select replaces.
std::string many_branches() {
  std::string text =
      "import qd\n\nf32s = qd.types.ndarray(dtype=qd.f32, ndim=1)\n\n\n@qd.kernel\ndef branches(x: f32s, y: f32s):\n   "
      " for i in range(x.shape[0]):\n        s = 0.0\n";
  for (int i = 0; i < kBranches; ++i)
    text += fmt::format("        if x[i] > {}:\n            s = s * 0.5 + x[i]\n", (i + 0.5) / kBranches);
  return text + "        y[i] = s\n";
}

/// A way to run kernels: without coverage, or with, in one of its states.
struct Mode {
  const char* name;
  bool coverage = true;
  CleanCodeSwitch clean = CleanCodeSwitch::Never;
  bool contexts = false;  // another one for each launch
  bool one_left = false;
  bool conditions = false;
  bool plain = false;  // a store at every probe
};

std::vector<Mode> modes = {
    {"off", false},
    {"first"},
    {"left", true, CleanCodeSwitch::Later, false, true},
    {"steady", true, CleanCodeSwitch::AtOnce},
    {"contexts", true, CleanCodeSwitch::Later, true},
    {"conditions", true, CleanCodeSwitch::Never, false, false, true},
    {"plain", true, CleanCodeSwitch::Never, false, false, false, true},
};

/// Says of each variant that its last counter can still teach something, even when all arcs were taken.
class OneLeft : public qd::LaunchObserver {
 public:
  explicit OneLeft(qd::LaunchObserver& inner) : inner_(inner) {}
  std::unique_ptr<qd::VariantObserver> lower_probes(qd::ir::Kernel& kernel, const std::string& arch,
                                                    qd::passes::LaunchCounts counts, const std::string& text) override {
    auto variant = std::make_unique<Variant>();
    variant->inner = inner_.lower_probes(kernel, arch, counts, text);
    if (!variant->inner) return nullptr;
    variant->open.resize(kernel.counters);
    for (const qd::ir::Task& task : kernel.tasks) {
      const qd::ir::CounterRange range = qd::ir::counters_of(kernel, task).ranges[0];  // of sums
      if (range.size > 0) variant->open[range.first + range.size - 1] = true;
    }
    return variant;
  }

 private:
  struct Variant : qd::VariantObserver {
    Counters begin(uint32_t stream) override { return inner->begin(stream); }
    void launch_done(uint32_t id, std::span<const uint64_t> words) override { inner->launch_done(id, words); }
    void launch_left(uint32_t id) override { inner->launch_left(id); }
    bool all_taken() const override { return false; }
    const std::atomic<uint64_t>& epoch() const override { return inner->epoch(); }
    std::vector<bool> open_counters(uint64_t) const override { return open; }
    std::unique_ptr<qd::VariantObserver> inner;
    std::vector<bool> open;
  };
  qd::LaunchObserver& inner_;
};

/// Two arrays of a size; the first has random numbers below 1, the same for all.
struct Arrays {
  Arrays(qd::Program& program, Shape shape, int32_t size) {
    std::vector<int32_t> extents{size};
    if (shape == Shape::Square) extents.assign(2, static_cast<int32_t>(std::sqrt(size)));
    x = program.ndarray(Type::F32, extents);
    y = program.ndarray(shape == Shape::Bins ? Type::I32 : Type::F32,
                        shape == Shape::Bins ? std::vector<int32_t>{256} : extents);
    uint32_t state = 1;
    for (float& value : x->span<float>()) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<float>(state >> 8) * 0x1p-24f;
    }
    arguments = {x.get(), y.get()};
  }
  std::unique_ptr<qd::Ndarray> x, y;
  std::vector<qd::Argument> arguments;
};

struct Side {
  Side(const Mode& mode, int threads, const std::string& folder) : mode(mode) {
    if (mode.coverage)
      session = std::make_unique<qd::instrument::Session>(
          qd::instrument::JournalOptions{.folder = folder, .branch = true, .relative_to = ""}, "start",
          SessionOptions{.lower_probes = mode.plain ? qd::instrument::lower_probes_plainly : nullptr,
                         .conditions = mode.conditions});
    qd::Config config;
    config.arch = arch;
    config.cpu_max_num_threads = threads;
    config.coverage_switch = mode.clean;
    qd::LaunchObserver* observer = session.get();
    if (mode.one_left) observer = (one_left = std::make_unique<OneLeft>(*session)).get();
    alone = threads == 1 && on_cpu();
    program = std::make_unique<qd::Program>(config, observer);
  }

  double seconds(qd::Kernel& kernel, std::span<const qd::Argument> arguments, int launches) {
    if (mode.contexts) launches = std::min(launches, kMostSwitches);
    const double begin = now(alone);
    for (int i = 0; i < launches; ++i) {
      if (mode.contexts) session->switch_context(fmt::format("test {}", contexts++));
      kernel.launch(arguments);
    }
    program->sync();
    return (now(alone) - begin) / launches;
  }

  /// Launches until nothing new has come for long, and then until the background has had its time.
  void wait_for_partial_code(qd::Kernel& kernel, Shape shape) {
    Arrays arrays(*program, shape, 64);
    const auto end = std::chrono::steady_clock::now() + kPartialCode;
    while (std::chrono::steady_clock::now() < end) seconds(kernel, arrays.arguments, 64);
  }

  Mode mode;
  bool alone = true;
  std::unique_ptr<qd::instrument::Session> session;
  std::unique_ptr<OneLeft> one_left;
  std::unique_ptr<qd::Program> program;
  uint64_t contexts = 0;
};

std::vector<std::string> filters;
bool wanted(const std::string& name) {
  return filters.empty() || std::any_of(filters.begin(), filters.end(), [&](const std::string& filter) {
           return name.find(filter) != std::string::npos;
         });
}

struct Means {
  std::map<std::string, std::pair<double, int>> logs;
  std::map<std::string, double> worst;
  void add(const std::string& column, double ratio) {
    auto& [sum, count] = logs[column];
    sum += std::log(ratio);
    ++count;
    worst[column] = std::max(worst[column], ratio);
  }
  double geometric(const std::string& column) const {
    const auto& [sum, count] = logs.at(column);
    return std::exp(sum / count);
  }
};

std::string kernel_file(const Benchmark& benchmark, const std::filesystem::path& folder) {
  return (std::string(benchmark.kernel) == "branches" ? folder / "branches.py" : kFile).string();
}

void launches(int threads, const std::filesystem::path& folder) {
  const std::string where = on_cpu() ? fmt::format("{} thread{}", threads, threads == 1 ? "" : "s") : arch;
  fmt::print("\n{}: coverage on / off, {} rounds\n{:30} {:>10}", where, kRounds, "kernel", "off");
  for (size_t m = 1; m < modes.size(); ++m) fmt::print(" {:>14}", modes[m].name);
  fmt::print("\n");
  std::vector<std::unique_ptr<Side>> sides;
  for (const Mode& mode : modes) sides.push_back(std::make_unique<Side>(mode, threads, folder.string()));
  std::array<Means, 3> means;
  for (const Benchmark& benchmark : kBenchmarks) {
    if (!wanted(benchmark.kernel)) continue;
    std::vector<qd::Kernel*> kernels;
    for (auto& side : sides)
      kernels.push_back(&side->program->load_kernel(kernel_file(benchmark, folder), benchmark.kernel));
    for (size_t m = 0; m < sides.size(); ++m) {
      if (sides[m]->mode.one_left) sides[m]->wait_for_partial_code(*kernels[m], benchmark.shape);
    }
    for (size_t size = 0; size < 3; ++size) {
      // Arrays of the host's own memory serve all sides; each other device has its own.
      std::vector<std::unique_ptr<Arrays>> own;
      for (auto& side : sides) {
        if (own.empty() || !on_cpu())
          own.push_back(std::make_unique<Arrays>(*side->program, benchmark.shape, benchmark.sizes[size]));
      }
      auto arguments = [&](size_t m) -> std::span<const qd::Argument> { return own[on_cpu() ? 0 : m]->arguments; };
      double once = 1e9;
      for (int i = 0; i < 3; ++i) {
        for (size_t m = 0; m < sides.size(); ++m) {
          const double time = sides[m]->seconds(*kernels[m], arguments(m), 1);
          if (m == 0) once = std::min(once, time);
        }
      }
      const int repetitions = std::clamp(static_cast<int>(kRoundSeconds / once), 1, 20'000);
      std::vector<std::vector<double>> ratios(sides.size());
      std::vector<double> best(sides.size(), 1e9);
      for (int round = 0; round < kRounds; ++round) {
        std::vector<double> times(sides.size());
        // Each mode runs behind each other one now and then.
        for (size_t k = 0; k < sides.size(); ++k) {
          const size_t m = (round % 2 ? sides.size() - 1 - k : k + static_cast<size_t>(round)) % sides.size();
          times[m] = sides[m]->seconds(*kernels[m], arguments(m), repetitions);
          best[m] = std::min(best[m], times[m]);
        }
        for (size_t m = 1; m < sides.size(); ++m) ratios[m].push_back(times[m] / times[0]);
      }
      fmt::print("{:30} {:7.2f} us", fmt::format("{} {}", benchmark.kernel, kSizeNames[size]), best[0] * 1e6);
      for (size_t m = 1; m < sides.size(); ++m) {
        const bool as_meant =
            sides[m]->mode.clean != CleanCodeSwitch::AtOnce || kernels[m]->runs_clean_code(arguments(m));
        const double ratio = best[m] / best[0];
        fmt::print(" {:7.3f} ±{:.3f}{}", ratio, (quantile(ratios[m], 0.75) - quantile(ratios[m], 0.25)) / 2,
                   as_meant ? " " : "?");
        // Launches of a few elements say nothing of memory.
        if (as_meant && (size == 0 || !benchmark.tiny)) means[size].add(modes[m].name, ratio);
      }
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
  for (size_t size = 0; size < 3; ++size) {
    if (means[size].logs.empty()) continue;
    std::string average = fmt::format("{:41}", fmt::format("geometric mean, {}", kSizeNames[size])),
                worst = fmt::format("{:41}", "  worst");
    for (size_t m = 1; m < modes.size(); ++m) {
      average += means[size].logs.contains(modes[m].name)
                     ? fmt::format(" {:7.3f}       ", means[size].geometric(modes[m].name))
                     : fmt::format("{:15}", "");
      worst += fmt::format(" {:7.3f}       ", means[size].worst[modes[m].name]);
    }
    fmt::print("{}\n{}\n", average, worst);
  }
}

void compilations(const std::filesystem::path& folder) {
  fmt::print("\nfirst launch, compilation included: coverage on / off\n");
  Means means;
  for (const Benchmark& benchmark : kBenchmarks) {
    if (!wanted(benchmark.kernel)) continue;
    std::vector<double> off, on, ratios;
    for (int round = 0; round <= kCompilations; ++round) {
      std::array<double, 2> times{};
      for (int k = 0; k < 2; ++k) {
        const int covered = (k + round) % 2;
        Side side(modes[static_cast<size_t>(covered)], 1, folder.string());  // off or first
        Arrays arrays(*side.program, benchmark.shape, 64);
        qd::Kernel& kernel = side.program->load_kernel(kernel_file(benchmark, folder), benchmark.kernel);
        times[static_cast<size_t>(covered)] = side.seconds(kernel, arrays.arguments, 1);
      }
      if (round == 0) continue;  // LLVM's own start
      off.push_back(times[0]);
      on.push_back(times[1]);
      ratios.push_back(times[1] / times[0]);
    }
    const double ratio = fastest(on) / fastest(off);
    fmt::print("{:30} {:7.2f} ms {:7.3f} ±{:.3f}\n", benchmark.kernel, fastest(off) * 1e3, ratio,
               (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2);
    std::fflush(stdout);
    means.add("compile", ratio);
  }
  if (!means.logs.empty())
    fmt::print("{:41} {:7.3f}\n{:41} {:7.3f}\n", "geometric mean", means.geometric("compile"), "  worst",
               means.worst["compile"]);
}

}  // namespace

int main(int argc, char** argv) {
  filters.assign(argv + 1, argv + argc);
  if (!filters.empty() && filters[0].starts_with("--")) {
    arch = filters[0].substr(2);
    filters.erase(filters.begin());
    std::erase_if(modes, [](const Mode& mode) { return mode.one_left || mode.plain || mode.contexts; });
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("coverage_overhead.{}", getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "branches.py") << many_branches();
  fmt::print(
      "first: all counters; left: compiled again with the last counter alone; steady: all is covered, clean code runs; "
      "contexts: another context for each launch;\n"
      "conditions: as first, and the way in which each decision was evaluated;\n"
      "plain: a store at every probe, for comparison. '?': not all of the kernel is covered, so that it still counts; "
      "not in the mean.\n"
      "One thread's times are processor time, which others on the machine disturb less; two threads' are not.\n");
  int result = 0;
  try {
    compilations(folder);
    launches(1, folder);
    if (on_cpu()) launches(2, folder);
  } catch (const std::runtime_error& error) {
    fmt::print("{}\n", error.what());
    result = 1;
  }
  std::filesystem::remove_all(folder);
  return result;
}
