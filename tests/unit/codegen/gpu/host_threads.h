// Code for GPUs, run on this computer, as a test of its results.
#pragma once

#include "tests/random_kernels/interpret.h"

namespace qd::codegen::gpu::testing {

struct HostRun {
  qd::testing::Outcome outcome;  // prints and failures as the interpreter has them, but without the iteration
  std::vector<uint64_t> counters;
};

/// Order of threads: each runs to its end before the next one begins, in subgroups of one; or in subgroups of 32, whose
/// threads meet.
enum class Threads { InTurn, Together };
/// Each thread has one iteration, or a block; or two groups have all of them.
enum class Groups { Many, Two };

/// Compiles a kernel that is cut into tasks, and runs it in groups of as many threads as TaskShape says. Sections of a
/// fork run in turn. Only threads together may be those of blocks.
HostRun run_on_host(const ir::Kernel& kernel, const qd::testing::Launch& launch, Threads threads, Groups groups);

}  // namespace qd::codegen::gpu::testing
