// Speed of the runtime, as ratios within one run: kernels against C++ with OpenMP, kernels with coverage against
// without, and the cost of a launch and of a compilation.
//   runtime_speed [NAME...]     only the rows whose name contains one of these
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "instrument/session.h"
#include "runtime/launch/program.h"
#include "tests/bench/compare.h"
#include "tests/bench/reference.h"

namespace {

using bench::Action;
using bench::compare;
using bench::kRounds;
using bench::median;
using bench::seconds;
using qd::Ndarray;
using qd::ir::Type;

constexpr int kThreads = 2;
const std::string kKernels = QD_SOURCE_DIR "/tests/bench/kernels.py";

/// One program without coverage and one with, and arrays that both use.
struct Bench {
  qd::Config config = [] {
    qd::Config config;
    config.cpu_max_num_threads = kThreads;
    return config;
  }();
  qd::instrument::Session session;
  qd::Program plain{config};
  qd::Program observed{config, &session};
  std::vector<std::string> filters;

  bool wanted(const std::string& name) const {
    return filters.empty() || std::any_of(filters.begin(), filters.end(), [&](const std::string& filter) {
             return name.find(filter) != std::string::npos;
           });
  }

  std::unique_ptr<Ndarray> floats(std::vector<int32_t> shape) {
    std::unique_ptr<Ndarray> array = plain.ndarray(Type::F32, std::move(shape));
    uint32_t state = 1;
    for (float& value : array->span<float>()) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<float>(state >> 8) * 0x1p-24f;
    }
    return array;
  }

  template <class... Args>
  Action launch(qd::Program& program, const char* kernel, Args... args) {
    qd::Kernel& loaded = program.load_kernel(kKernels, kernel);
    return [&loaded, args...] { loaded(args...); };
  }

  template <class... Args>
  void row(const std::string& name, double least, const char* kernel, const Action& reference, Args... args) {
    if (wanted(name)) compare(name, launch(plain, kernel, args...), reference, least);
    std::string covered = name + ", coverage on/off";
    if (wanted(covered)) compare(covered, launch(observed, kernel, args...), launch(plain, kernel, args...), 1 / 1.1);
  }
};

void kernels(Bench& bench) {
  struct Size {
    const char* name;
    int32_t elements;
    double least;
  };
  for (Size size : {Size{"L1", 4'000, 0}, Size{"L2", 200'000, 0}, Size{"memory", 160'000'000, 0.9}}) {
    std::string suffix = std::string(" ") + size.name;
    if (!bench.wanted("saxpy" + suffix) && !bench.wanted("saxpy_branch" + suffix)) continue;
    auto x = bench.floats({size.elements}), y = bench.floats({size.elements});
    const float* xs = x->span<float>().data();
    float* ys = y->span<float>().data();
    bench.row(
        "saxpy" + suffix, size.least, "saxpy", [=] { reference::saxpy(1e-9f, xs, ys, size.elements); }, 1e-9, x.get(),
        y.get());
    bench.row(
        "saxpy_branch" + suffix, size.least, "saxpy_branch",
        [=] { reference::saxpy_branch(1e-9f, xs, ys, size.elements); }, 1e-9, x.get(), y.get());
  }
  if (bench.wanted("total")) {
    auto x = bench.floats({160'000'000});
    bench.row("total memory", 0.9, "total", [&] { reference::total(x->span<float>().data(), 160'000'000); }, x.get());
  }
  for (Size size : {Size{"L2", 400, 0}, Size{"memory", 12'000, 0.9}}) {
    std::string name = std::string("stencil ") + size.name;
    if (!bench.wanted(name)) continue;
    auto x = bench.floats({size.elements, size.elements}), y = bench.floats({size.elements, size.elements});
    bench.row(
        name, size.least, "stencil",
        [&] { reference::stencil(x->span<float>().data(), y->span<float>().data(), size.elements, size.elements); },
        x.get(), y.get());
  }
  if (bench.wanted("nbody")) {
    const int32_t n = 8192;
    std::vector<std::unique_ptr<Ndarray>> a;
    for (int i = 0; i < 6; ++i) a.push_back(bench.floats({n}));
    auto f = [&](int i) { return a[i]->span<float>().data(); };
    bench.row(
        "nbody", 0.8, "nbody", [&] { reference::nbody(f(0), f(1), f(2), f(3), f(4), f(5), n); }, a[0].get(), a[1].get(),
        a[2].get(), a[3].get(), a[4].get(), a[5].get());
  }
  if (bench.wanted("mandelbrot")) {
    auto out = bench.plain.ndarray(Type::I32, {800, 800});
    bench.row(
        "mandelbrot", 0.8, "mandelbrot", [&] { reference::mandelbrot(out->span<int>().data(), 800, 800, 200); },
        out.get(), 200);
  }
}

/// Sums, minima and the like into one place, or a few.
void reductions(Bench& bench) {
  constexpr int32_t kFew = 100'000, kMany = 40'000'000;
  for (const int32_t n : {kFew, kMany}) {
    const std::string suffix = n == kFew ? " L2" : " memory";
    auto wanted = [&](const char* name) { return bench.wanted(name + suffix); };
    auto f32 = [&] { return bench.floats({n}); };
    auto ints = [&](Type type) {
      std::unique_ptr<Ndarray> array = bench.plain.ndarray(type, {n});
      for (int32_t i = 0; i < n; ++i) {
        if (type == Type::I32) array->span<int32_t>()[static_cast<size_t>(i)] = (i * 7919) % 1000;
        if (type == Type::I64) array->span<int64_t>()[static_cast<size_t>(i)] = (int64_t{i} * 7919) % 1000;
        if (type == Type::F64) array->span<double>()[static_cast<size_t>(i)] = (i % 1000) * 0.001;
      }
      return array;
    };
    if (wanted("total f64")) {
      auto x = ints(Type::F64);
      bench.row(
          "total f64" + suffix, 0.8, "total_f64", [&] { reference::total(x->span<double>().data(), n); }, x.get());
    }
    if (wanted("total i32")) {
      auto x = ints(Type::I32);
      bench.row(
          "total i32" + suffix, 0.8, "total_i32", [&] { reference::total(x->span<int32_t>().data(), n); }, x.get());
    }
    if (wanted("total i64")) {
      auto x = ints(Type::I64);
      bench.row(
          "total i64" + suffix, 0.8, "total_i64", [&] { reference::total(x->span<int64_t>().data(), n); }, x.get());
    }
    if (wanted("total into an element")) {
      auto x = f32(), out = bench.floats({4});
      bench.row(
          "total into an element" + suffix, 0.8, "total_element",
          [&] { out->span<float>()[0] += reference::total(x->span<float>().data(), n); }, x.get(), out.get());
    }
    if (wanted("extrema")) {
      auto x = f32(), out = bench.floats({4});
      bench.row(
          "extrema" + suffix, 0.8, "extrema",
          [&] { reference::extrema(x->span<float>().data(), out->span<float>().data(), n); }, x.get(), out.get());
    }
    if (wanted("bits")) {
      auto x = ints(Type::I32), out = bench.plain.ndarray(Type::I32, {4});
      bench.row(
          "bits" + suffix, 0.8, "bits",
          [&] { reference::bits(x->span<int32_t>().data(), out->span<int32_t>().data(), n); }, x.get(), out.get());
    }
    if (wanted("count above")) {
      auto x = f32(), out = bench.plain.ndarray(Type::I32, {4});
      bench.row(
          "count above" + suffix, 0.8, "count_above",
          [&] { out->span<int32_t>()[0] += reference::count_above(x->span<float>().data(), n); }, x.get(), out.get());
    }
    if (wanted("histogram")) {
      auto x = f32(), out = bench.plain.ndarray(Type::I32, {256});
      bench.row(
          "histogram" + suffix, 0.8, "histogram",
          [&] { reference::histogram(x->span<float>().data(), out->span<int32_t>().data(), n); }, x.get(), out.get());
    }
    if (wanted("prefix sum")) {
      auto x = ints(Type::I32), out = bench.plain.ndarray(Type::I32, {n}),
           sums = bench.plain.ndarray(Type::I32, {(n + 4095) / 4096});
      auto data = [](Ndarray& array) { return array.span<int32_t>().data(); };
      bench.row(
          "prefix sum" + suffix, 0.8, "prefix_sum",
          [&] { reference::prefix_sum(data(*x), data(*out), data(*sums), n); }, x.get(), out.get(), sums.get());
    }
  }
}

void launches(Bench& bench) {
  if (!bench.wanted("launch")) return;
  auto a = bench.floats({16}), b = bench.floats({16}), c = bench.floats({16}), d = bench.floats({16});
  for (qd::Program* program : {&bench.plain, &bench.observed}) {
    Action action = bench.launch(*program, "four_arrays", a.get(), b.get(), c.get(), d.get());
    action();
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) times.push_back(seconds(action, 20'000));
    std::printf("launch with four arrays%-17s %7.3f us   (wanted <= 0.5)\n",
                program == &bench.plain ? "" : ", coverage on", median(times) * 1e6);
  }
}

void compilations(Bench& bench) {
  if (!bench.wanted("compile")) return;
  auto out = bench.plain.ndarray(Type::I32, {2, 2});
  auto x = bench.floats({4, 4}), y = bench.floats({4, 4});
  for (bool covered : {false, true}) {
    std::vector<double> ten_lines, two_lines;
    for (int round = 0; round < 15; ++round) {
      qd::Program program(bench.config, covered ? &bench.session : nullptr);
      qd::Kernel& mandelbrot = program.load_kernel(kKernels, "mandelbrot");
      qd::Kernel& stencil = program.load_kernel(kKernels, "stencil");
      ten_lines.push_back(seconds([&] { mandelbrot(out.get(), 10); }, 1));
      two_lines.push_back(seconds([&] { stencil(x.get(), y.get()); }, 1));
    }
    const char* suffix = covered ? ", coverage on" : "";
    std::printf("compile mandelbrot (10 lines)%-12s %6.2f ms   (wanted <= 15)\n", suffix, median(ten_lines) * 1e3);
    std::printf("compile stencil (2 lines)%-16s %6.2f ms\n", suffix, median(two_lines) * 1e3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Both thread pools share the cores: the one that waits must not spin.
  setenv("OMP_NUM_THREADS", std::to_string(kThreads).c_str(), 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("KMP_BLOCKTIME", "0", 1);
  Bench bench;
  bench.filters.assign(argv + 1, argv + argc);
  launches(bench);
  compilations(bench);
  kernels(bench);
  reductions(bench);
  return 0;
}
