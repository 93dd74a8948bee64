// A C++ program that runs a kernel, forks without exec, and runs one in the child, which ends as the argument says.
//   forks_program KERNELS.PY exit|_exit|kill
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "instrument/session.h"
#include "runtime/launch/program.h"

namespace {

void sum(const char* file, float value) {
  qd::Program program(qd::Config{}, qd::instrument::environment_session());
  auto x = program.ndarray(qd::ir::Type::F32, {3});
  for (float& v : x->span<float>()) v = value;
  program.load_kernel(file, "sum_positive")(x.get());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: forks_program KERNELS.PY exit|_exit|kill\n");
    return 1;
  }
  const std::string_view how = argv[2];
  sum(argv[1], -1.0f);
  const pid_t child = fork();
  if (child == 0) {
    sum(argv[1], 1.0f);
    if (how == "_exit") _exit(3);
    if (how == "kill") std::raise(SIGKILL);
    std::exit(3);
  }
  waitpid(child, nullptr, 0);
  return 0;
}
