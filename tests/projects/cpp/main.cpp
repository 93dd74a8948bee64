// A C++ program that runs kernels of a Python file: loads them by name, launches them on arrays, checks the results.
//   saxpy_program KERNELS.PY [TOP]
// Kernel coverage: QD_KERNEL_COVERAGE=1 saxpy_program ..., or qd-cov run -- saxpy_program ...
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "instrument/session.h"
#include "runtime/launch/program.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: saxpy_program KERNELS.PY [TOP]\n");
    return 1;
  }
  double top = argc > 2 ? std::atof(argv[2]) : 1e9;
  try {
    qd::Program program(qd::Config{}, qd::instrument::environment_session());
    qd::Kernel& saxpy = program.load_kernel(argv[1], "saxpy_limited");
    qd::Kernel& sum = program.load_kernel(argv[1], "sum_positive");
    auto x = program.ndarray(qd::ir::Type::F32, {1000});
    auto y = program.ndarray(qd::ir::Type::F32, {1000});
    for (int i = 0; i < 1000; ++i) {
      x->span<float>()[i] = static_cast<float>(i);
      y->span<float>()[i] = 1.0f;
    }
    saxpy(3.0, top, x.get(), y.get());
    for (int i = 0; i < 1000; ++i) {
      double expected = std::min(3.0 * i + 2.0, top);
      if (y->span<float>()[i] != static_cast<float>(expected)) {
        std::fprintf(stderr, "y[%d] is %g, not %g\n", i, y->span<float>()[i], expected);
        return 2;
      }
    }
    double total = std::get<double>(sum(y.get())[0]);
    std::printf("sum of y: %g\n", total);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
