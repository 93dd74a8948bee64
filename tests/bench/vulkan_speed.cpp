// Kernels on the Vulkan device that is here against compute shaders that were written by hand in GLSL: ratios of one
// run, above 1 where the kernel is faster. Both sides compute the same, which is checked.
//   vulkan_speed [NAME...]     only the rows whose name contains one of these
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "runtime/launch/program.h"
#include "tests/bench/glsl_programs.h"

namespace {

using bench::Action;
using bench::GlslBuffer;
using bench::GlslPrograms;
using qd::Ndarray;
using qd::ir::Type;

constexpr double kWanted = 0.8;
const std::string kKernels = QD_SOURCE_DIR "/tests/bench/kernels.py";

/// The same numbers for both sides.
struct Pair {
  std::unique_ptr<Ndarray> ours;
  GlslBuffer glsl;
};

class Bench {
 public:
  explicit Bench(std::vector<std::string> filters) : filters_(std::move(filters)) {}

  bool wanted(const std::string& name) const {
    return filters_.empty() || std::ranges::any_of(filters_, [&](const std::string& filter) {
             return name.find(filter) != std::string::npos;
           });
  }

  Pair floats(std::vector<int32_t> shape) {
    Pair pair{program_.ndarray(Type::F32, std::move(shape)), {}};
    const std::span<float> numbers = pair.ours->span<float>();
    pair.glsl = glsl_.buffer(numbers.size_bytes());
    uint32_t state = 1;
    for (size_t i = 0; i < numbers.size(); ++i) {
      state = state * 1664525u + 1013904223u;
      numbers[i] = pair.glsl.span<float>()[i] = static_cast<float>(state >> 8) * 0x1p-24f;
    }
    return pair;
  }
  Pair integers(int32_t length) {
    Pair pair{program_.ndarray(Type::I32, {length}), glsl_.buffer(sizeof(int32_t) * static_cast<size_t>(length))};
    std::ranges::fill(pair.glsl.span<int32_t>(), 0);
    return pair;
  }

  template <class... Args>
  Action ours(const char* kernel, Args... args) {
    qd::Kernel& loaded = program_.load_kernel(kKernels, kernel);
    return [this, &loaded, args...] {
      loaded(args...);
      program_.sync();
    };
  }
  Action glsl(const std::vector<GlslPrograms::Pass>& passes) { return glsl_.action(passes); }

  /// Runs both sides once and compares their results, then compares their times.
  void row(const std::string& name, const Action& ours, const Action& glsl, const Pair& result, double error) {
    ours();
    glsl();
    const std::span<float> a = result.ours->span<float>(), b = result.glsl.span<float>();
    for (size_t i = 0; i < a.size(); ++i) {
      if (std::abs(a[i] - b[i]) > error * std::max(1.0f, std::abs(b[i]))) {
        fmt::print("{}: {} and {} at {}\n", name, a[i], b[i], i);
        std::exit(1);
      }
    }
    bench::compare(name, ours, glsl, kWanted);
  }

 private:
  std::vector<std::string> filters_;
  qd::Program program_{[] {
    qd::Config config;
    config.arch = "vulkan";
    return config;
  }()};
  GlslPrograms glsl_{QD_GLSL_FOLDER};
};

uint32_t groups(int32_t count, int32_t size) { return static_cast<uint32_t>((count + size - 1) / size); }

void along_lines(Bench& bench) {
  for (int32_t n : {200'000, 4'000'000}) {
    const auto count = static_cast<uint32_t>(n);
    const std::string size = fmt::format(" of {}", n);
    if (bench.wanted("saxpy" + size)) {
      const Pair x = bench.floats({n}), y = bench.floats({n}), z = bench.floats({n});
      const uint32_t factor = std::bit_cast<uint32_t>(1e-3f), all = groups(n, 256);
      bench.row("saxpy" + size, bench.ours("saxpy", 1e-3, x.ours.get(), y.ours.get()),
                bench.glsl({{"saxpy", {x.glsl, y.glsl}, {all, 1}, {count, factor}}}), y, 1e-5);
      // The same GLSL with addresses of buffers, as in all code of kernels: the driver's share.
      const GlslBuffer &from = x.glsl, &to = z.glsl;
      bench.row(
          "saxpy by addresses" + size, bench.ours("saxpy", 1e-3, x.ours.get(), z.ours.get()),
          bench.glsl(
              {{"saxpy_addresses", {from}, {all, 1}, {count, factor, from.low(), from.high(), to.low(), to.high()}}}),
          z, 1e-5);
    }
    if (bench.wanted("reduction" + size)) {
      constexpr uint32_t kGroups = 64;
      const Pair x = bench.floats({n}), out = bench.floats({1});
      const GlslBuffer sums = out.glsl;
      const Pair parts = bench.floats({static_cast<int32_t>(kGroups)});
      bench.row("reduction" + size, bench.ours("set_total", x.ours.get(), out.ours.get()),
                bench.glsl({{"reduction", {x.glsl, parts.glsl}, {kGroups, 1}, {count}},
                            {"reduction", {parts.glsl, sums}, {1, 1}, {kGroups}}}),
                out, 1e-3);
    }
    if (bench.wanted("histogram" + size)) {
      const Pair x = bench.floats({n}), bins = bench.integers(256);
      bench.row("histogram" + size, bench.ours("histogram", x.ours.get(), bins.ours.get()),
                bench.glsl({{"histogram", {x.glsl, bins.glsl}, {64, 1}, {count}}}), bins, 0);
    }
  }
}

void others(Bench& bench) {
  if (bench.wanted("stencil")) {
    constexpr int32_t kSide = 2000;
    const Pair x = bench.floats({kSide, kSide}), y = bench.floats({kSide, kSide});
    bench.row("stencil of 2000 x 2000", bench.ours("stencil", x.ours.get(), y.ours.get()),
              bench.glsl({{"stencil", {x.glsl, y.glsl}, {groups(kSide, 32), groups(kSide, 8)}, {kSide}}}), y, 1e-5);
  }
  if (bench.wanted("nbody")) {
    constexpr int32_t kBodies = 4000;
    std::vector<Pair> a;
    for (int i = 0; i < 6; ++i) a.push_back(bench.floats({kBodies}));
    std::vector<GlslBuffer> buffers;
    for (const Pair& pair : a) buffers.push_back(pair.glsl);
    bench.row("nbody of 4000",
              bench.ours("nbody", a[0].ours.get(), a[1].ours.get(), a[2].ours.get(), a[3].ours.get(), a[4].ours.get(),
                         a[5].ours.get()),
              bench.glsl({{"nbody", buffers, {groups(kBodies, 64), 1}, {kBodies}}}), a[5], 1e-2);
  }
  if (bench.wanted("matrix_product")) {
    constexpr int32_t kSide = 512;
    const Pair a = bench.floats({kSide, kSide}), b = bench.floats({kSide, kSide}), c = bench.floats({kSide, kSide});
    bench.row("matrix_product of 512 x 512",
              bench.ours("matrix_product", a.ours.get(), b.ours.get(), c.ours.get(), kSide * kSide),
              bench.glsl({{"matrix_product", {a.glsl, b.glsl, c.glsl}, {kSide / 16, kSide / 16}, {kSide}}}), c, 1e-3);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Bench bench(std::vector<std::string>(argv + 1, argv + argc));
    along_lines(bench);
    others(bench);
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
