// The threads of a group of a GPU as fibres of this computer, which meet at operations of subgroups and of blocks.
#pragma once

#include <cstdint>
#include <functional>

namespace qd::codegen::gpu::testing {

/// Runs body(thread) for all threads of a group, in the order of their numbers up to the operation at which each waits
/// next. Threads that have ended are waited for no longer. Throws std::runtime_error when threads wait for each other
/// in vain.
void run_group(uint32_t threads, uint32_t subgroup_size, const std::function<void(uint32_t)>& body);

// What code calls for gpu::Hardware's operations; the thread that calls is the one that runs. `all`: all lanes of the
// subgroup that have not ended must come; else those meet that are at the same place when nobody can go on.
uint32_t thread_of_fibre();
uint64_t ballot_of_fibres(uint32_t all, uint32_t condition);
/// A number that is surely wrong where the lane is not there.
uint32_t shuffle_of_fibres(uint32_t all, uint32_t word, uint32_t lane);
void barrier_of_fibres(uint32_t all, uint32_t whole_block);

}  // namespace qd::codegen::gpu::testing
