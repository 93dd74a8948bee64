// Kernels with vectors and matrices against C++ with OpenMP, as ratios within one run.
//   compound_speed [NAME...]     only the rows whose name contains one of these
#include <cmath>
#include <cstdlib>
#include <memory>
#include <span>

#include "runtime/launch/program.h"
#include "tests/bench/compare.h"
#include "tests/bench/compound_reference.h"

namespace {

using qd::Ndarray;
using qd::ir::Type;

const std::string kKernels = QD_SOURCE_DIR "/tests/bench/compound_kernels.py";
const std::string kParticles = QD_SOURCE_DIR "/tests/projects/particles/particles/kernels_3d.py";

class Bench {
 public:
  explicit Bench(std::vector<std::string> filters) : filters_(std::move(filters)) {}

  bool wanted(const std::string& name) const {
    return filters_.empty() || std::any_of(filters_.begin(), filters_.end(), [&](const std::string& filter) {
             return name.find(filter) != std::string::npos;
           });
  }

  std::unique_ptr<Ndarray> floats(std::vector<int32_t> shape, std::vector<int32_t> element) {
    return program_.ndarray(qd::ArrayDescription{Type::F32, std::move(shape), std::move(element)});
  }

  qd::Kernel& kernel(const char* name, const std::string& file = kKernels) { return program_.load_kernel(file, name); }

 private:
  qd::Program program_{[] {
    qd::Config config;
    config.cpu_max_num_threads = 2;
    return config;
  }()};
  std::vector<std::string> filters_;
};

float* data(Ndarray& array) { return array.span<float>().data(); }

void randomise(Ndarray& array, float low, float high) {
  uint32_t state = 1;
  for (float& value : array.span<float>()) {
    state = state * 1664525u + 1013904223u;
    value = low + (high - low) * static_cast<float>(state >> 8) * 0x1p-24f;
  }
}

/// The largest difference, in parts of the largest number.
float difference(Ndarray& a, Ndarray& b) {
  float most = 0, largest = 0;
  for (size_t i = 0; i < a.span<float>().size(); ++i) {
    most = std::max(most, std::abs(a.span<float>()[i] - b.span<float>()[i]));
    largest = std::max(largest, std::abs(b.span<float>()[i]));
  }
  return most / largest;
}

void report(const char* name, float difference) {
  std::printf("%-34s differs by %.1e\n", name, static_cast<double>(difference));
}

void mpm(Bench& bench) {
  if (!bench.wanted("mpm")) return;
  constexpr int kGrid = 64, kCount = 100'000;
  constexpr float kMass = 0x1p-21f, kVolume = kMass, kLam = 1000, kShear = 500, kStep = 1e-4f, kGravity = -9.8f;
  struct Side {
    std::unique_ptr<Ndarray> x, v, C, F, shear, grid_v, grid_m;
  };
  auto make = [&] {
    Side side{bench.floats({kCount}, {3}),
              bench.floats({kCount}, {3}),
              bench.floats({kCount}, {3, 3}),
              bench.floats({kCount}, {3, 3}),
              bench.floats({kCount}, {}),
              bench.floats({kGrid, kGrid, kGrid}, {3}),
              bench.floats({kGrid, kGrid, kGrid}, {})};
    randomise(*side.x, 0.3f, 0.7f);
    for (int i = 0; i < 9 * kCount; ++i) data(*side.F)[i] = i % 9 % 4 == 0 ? 1.0f : 0.0f;
    for (int i = 0; i < kCount; ++i) data(*side.shear)[i] = i % 2 == 0 ? kShear : 0.0f;  // jelly and water
    return side;
  };
  Side ours = make(), theirs = make();
  qd::Kernel& kernel = bench.kernel("step", kParticles);
  auto step = [&] {
    kernel(ours.x.get(), ours.v.get(), ours.C.get(), ours.F.get(), ours.shear.get(), ours.grid_v.get(),
           ours.grid_m.get(), kStep, kMass, kVolume, kLam, kGravity);
  };
  reference::Particles particles{data(*theirs.x),
                                 data(*theirs.v),
                                 data(*theirs.C),
                                 data(*theirs.F),
                                 data(*theirs.shear),
                                 data(*theirs.grid_v),
                                 data(*theirs.grid_m),
                                 kCount,
                                 kGrid,
                                 kStep,
                                 kMass,
                                 kVolume,
                                 kLam,
                                 kGravity};
  for (int i = 0; i < 3; ++i) {
    step();
    reference::mpm(particles);
  }
  report("mpm 3-D, velocities", difference(*ours.v, *theirs.v));
  bench::compare("mpm 3-D", step, [&] { reference::mpm(particles); }, 0.8);
}

void nbody(Bench& bench) {
  if (!bench.wanted("nbody")) return;
  constexpr int kCount = 8192;
  auto x = bench.floats({kCount}, {3}), a = bench.floats({kCount}, {3}), expected = bench.floats({kCount}, {3});
  randomise(*x, 0, 1);
  qd::Kernel& kernel = bench.kernel("nbody");
  kernel(x.get(), a.get());
  reference::nbody_vectors(data(*x), data(*expected), kCount);
  report("nbody with vectors", difference(*a, *expected));
  bench::compare(
      "nbody with vectors", [&] { kernel(x.get(), a.get()); },
      [&] { reference::nbody_vectors(data(*x), data(*expected), kCount); }, 0.8);
}

template <class Reference>
void matrices(Bench& bench, const char* name, const char* kernel_name, int n, int count, Reference reference) {
  if (!bench.wanted(name)) return;
  auto a = bench.floats({count}, {n, n}), out = bench.floats({count}, {n, n}), expected = bench.floats({count}, {n, n});
  randomise(*a, 0, 1);
  // Symmetric, and positive definite.
  for (int b = 0; b < count; ++b) {
    float* m = data(*a) + b * n * n;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) m[i * n + j] = m[j * n + i];
      m[i * n + i] += static_cast<float>(n);
    }
  }
  qd::Kernel& kernel = bench.kernel(kernel_name);
  kernel(a.get(), out.get());
  reference(data(*a), data(*expected), count);
  report(name, difference(*out, *expected));
  bench::compare(name, [&] { kernel(a.get(), out.get()); }, [&] { reference(data(*a), data(*expected), count); }, 0.8);
}

}  // namespace

int main(int argc, char** argv) {
  // Both thread pools share the cores: the one that waits must not spin.
  setenv("OMP_NUM_THREADS", "2", 1);
  setenv("OMP_WAIT_POLICY", "passive", 1);
  setenv("KMP_BLOCKTIME", "0", 1);
  Bench bench(std::vector<std::string>(argv + 1, argv + argc));
  mpm(bench);
  nbody(bench);
  matrices(bench, "cholesky 16 x 16", "cholesky", 16, 20'000, reference::cholesky);
  matrices(bench, "polar decomposition 3 x 3", "polar", 3, 200'000, reference::polar);
  return 0;
}
