// Kernels on an NVIDIA GPU against kernels that were written by hand in CUDA, and against the speed of the GPU's
// memory: ratios of one run, above 1 where ours is faster. Both sides compute the same, which is checked.
//   gpu_speed [NAME...]     only the rows whose name contains one of these
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "runtime/launch/program.h"
#include "tests/bench/compare.h"
#include "tests/bench/gpu/cuda_programs.h"

namespace {

using bench::Action;
using bench::CudaPrograms;
using qd::Ndarray;
using qd::ir::Type;

const std::string kKernels = QD_SOURCE_DIR "/tests/bench/kernels.py";
/// Launches between two waits, so that what is measured is the GPU's work, not the host's.
constexpr int kInARow = 20;
constexpr double kWanted = 0.95, kWantedWhereItComputes = 0.9;

/// The same numbers for both sides.
struct Pair {
  std::unique_ptr<Ndarray> ours;
  CudaPrograms::Buffer cuda;
};

class Bench {
 public:
  explicit Bench(std::vector<std::string> filters) : filters_(std::move(filters)) {
    fmt::print("{}, {} multiprocessors, {}\n", cuda_.properties().name, cuda_.properties().multiprocessors,
               cuda_.properties().processor);
  }

  bool wanted(const std::string& name) const {
    return filters_.empty() || std::ranges::any_of(filters_, [&](const std::string& filter) {
             return name.find(filter) != std::string::npos;
           });
  }

  Pair floats(std::vector<int32_t> shape) {
    Pair pair{program_.ndarray(Type::F32, std::move(shape)), 0};
    const std::span<float> numbers = pair.ours->span<float>();
    uint32_t state = 1;
    for (float& number : numbers) {
      state = state * 1664525u + 1013904223u;
      number = static_cast<float>(state >> 8) * 0x1p-24f;
    }
    pair.cuda = cuda_.buffer(std::as_bytes(numbers));
    return pair;
  }
  Pair integers(int32_t length) {
    Pair pair{program_.ndarray(Type::I32, {length}), 0};
    const std::vector<int32_t> zeros(static_cast<size_t>(length));
    pair.cuda = cuda_.buffer(std::as_bytes(std::span(zeros)));
    return pair;
  }

  template <class... Args>
  Action ours(const char* kernel, Args... args) {
    qd::Kernel& loaded = program_.load_kernel(kKernels, kernel);
    return [this, &loaded, args...] {
      for (int i = 0; i < kInARow; ++i) loaded(args...);
      program_.sync();
    };
  }
  Action cuda(const std::function<void(CudaPrograms&)>& launch) {
    return [this, launch] {
      for (int i = 0; i < kInARow; ++i) launch(cuda_);
      cuda_.wait();
    };
  }

  /// Runs both sides as often, and compares what they come to; then compares their times.
  void row(const std::string& name, const Action& ours, const Action& cuda, const Pair& result, double error,
           double wanted = kWanted) {
    ours();
    cuda();
    const std::span<float> a = result.ours->span<float>();
    std::vector<float> b(a.size());
    cuda_.read(result.cuda, std::as_writable_bytes(std::span(b)));
    for (size_t i = 0; i < a.size(); ++i) {
      if (std::abs(a[i] - b[i]) > error * std::max(1.0f, std::abs(b[i]))) {
        fmt::print("{}: {} and {} at {}\n", name, a[i], b[i], i);
        std::exit(1);
      }
    }
    bench::compare(name, ours, cuda, wanted);
  }

  /// Against a copy on the device that reads and writes as many bytes as the kernel: the speed of the memory.
  void roof(const std::string& name, const Action& ours, size_t bytes) {
    const std::vector<std::byte> zeros(bytes / 2);
    const auto from = cuda_.buffer(zeros), to = cuda_.buffer(zeros);
    bench::compare(name + " / memory", ours, cuda([=](CudaPrograms& p) { p.copy(to, from, bytes / 2); }), kWanted);
  }

 private:
  std::vector<std::string> filters_;
  qd::Program program_{[] {
    qd::Config config;
    config.arch = "cuda";
    return config;
  }()};
  CudaPrograms cuda_{QD_CUDA_KERNELS};
};

uint32_t groups(int32_t count, int32_t size) { return static_cast<uint32_t>((count + size - 1) / size); }

void along_lines(Bench& bench) {
  for (int32_t n : {1'000'000, 64'000'000}) {
    const std::string size = fmt::format(" of {}", n);
    const auto bytes = sizeof(float) * static_cast<size_t>(n);
    if (bench.wanted("saxpy" + size)) {
      const Pair x = bench.floats({n}), y = bench.floats({n});
      const Action ours = bench.ours("saxpy", 1e-3, x.ours.get(), y.ours.get());
      bench.row("saxpy" + size, ours, bench.cuda([=, a = x.cuda, b = y.cuda](CudaPrograms& p) mutable {
        float factor = 1e-3f;
        p.launch("saxpy", {{groups(n, 256), 1}}, {&n, &factor, &a, &b});
      }),
                y, 1e-4);
      bench.roof("saxpy" + size, ours, 3 * bytes);
    }
    if (bench.wanted("reduction" + size)) {
      const Pair x = bench.floats({n}), out = bench.floats({1});
      const Action ours = bench.ours("set_total", x.ours.get(), out.ours.get());
      bench.row("reduction" + size, ours, bench.cuda([=, a = x.cuda, b = out.cuda](CudaPrograms& p) mutable {
        p.launch("clear", {{1, 1}, {1, 1}}, {&b});
        p.launch("reduction", {{std::min(groups(n, 256), 2048u), 1}}, {&n, &a, &b});
      }),
                out, 1e-3);
      bench.roof("reduction" + size, ours, bytes);
    }
    if (bench.wanted("histogram" + size)) {
      const Pair x = bench.floats({n}), bins = bench.integers(256);
      const Action ours = bench.ours("histogram", x.ours.get(), bins.ours.get());
      bench.row("histogram" + size, ours, bench.cuda([=, a = x.cuda, b = bins.cuda](CudaPrograms& p) mutable {
        p.launch("histogram", {{std::min(groups(n, 256), 2048u), 1}}, {&n, &a, &b});
      }),
                bins, 0);
      bench.roof("histogram" + size, ours, bytes);
    }
  }
}

void others(Bench& bench) {
  if (bench.wanted("stencil")) {
    constexpr int32_t kSide = 8000;
    const Pair x = bench.floats({kSide, kSide}), y = bench.floats({kSide, kSide});
    const Action ours = bench.ours("stencil", x.ours.get(), y.ours.get());
    bench.row("stencil of 8000 x 8000", ours, bench.cuda([a = x.cuda, b = y.cuda](CudaPrograms& p) mutable {
      int32_t side = kSide;
      p.launch("stencil", {{groups(kSide, 32), groups(kSide, 8)}, {32, 8}}, {&side, &a, &b});
    }),
              y, 1e-5);
    bench.roof("stencil of 8000 x 8000", ours, 2 * sizeof(float) * kSide * kSide);
  }
  if (bench.wanted("nbody")) {
    constexpr int32_t kBodies = 32'000;
    std::vector<Pair> a;
    for (int i = 0; i < 6; ++i) a.push_back(bench.floats({kBodies}));
    std::vector<CudaPrograms::Buffer> b;
    for (const Pair& pair : a) b.push_back(pair.cuda);
    bench.row("nbody of 32000",
              bench.ours("nbody", a[0].ours.get(), a[1].ours.get(), a[2].ours.get(), a[3].ours.get(), a[4].ours.get(),
                         a[5].ours.get()),
              bench.cuda([b](CudaPrograms& p) mutable {
                int32_t bodies = kBodies;
                p.launch("nbody", {{groups(kBodies, 256), 1}}, {&bodies, &b[0], &b[1], &b[2], &b[3], &b[4], &b[5]});
              }),
              a[5], 1e-2, kWantedWhereItComputes);
  }
  if (bench.wanted("matrix_product")) {
    constexpr int32_t kSide = 2048;
    const Pair a = bench.floats({kSide, kSide}), b = bench.floats({kSide, kSide}), c = bench.floats({kSide, kSide});
    bench.row("matrix_product of 2048 x 2048",
              bench.ours("matrix_product", a.ours.get(), b.ours.get(), c.ours.get(), kSide * kSide),
              bench.cuda([x = a.cuda, y = b.cuda, z = c.cuda](CudaPrograms& p) mutable {
                int32_t side = kSide;
                p.launch("matrix_product", {{kSide / 16, kSide / 16}, {16, 16}}, {&side, &x, &y, &z});
              }),
              c, 1e-3, kWantedWhereItComputes);
  }
  if (bench.wanted("launch")) {
    const Pair x = bench.floats({32}), y = bench.floats({32});
    bench.row("a launch, saxpy of 32", bench.ours("saxpy", 1e-3, x.ours.get(), y.ours.get()),
              bench.cuda([a = x.cuda, b = y.cuda](CudaPrograms& p) mutable {
                int32_t n = 32;
                float factor = 1e-3f;
                p.launch("saxpy", {{1, 1}}, {&n, &factor, &a, &b});
              }),
              y, 1e-4, 0.5);
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
