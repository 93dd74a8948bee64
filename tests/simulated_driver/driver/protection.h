// Memory that only threads that have opened it can touch. Processors with protection keys do that with a register
// of each thread; on others the memory is open to all.
#pragma once

#include <cstddef>

namespace qd::simulated {

/// Whether the processor and the kernel have protection keys, and QD_SIMULATED_KEYS does not say otherwise.
bool has_keys();

/// Makes pages readable and writable for threads that have opened device memory. False: there is no memory for that.
bool make_protected(void* begin, size_t bytes);
/// Makes pages fault for everybody. Their contents stay.
void make_inaccessible(void* begin, size_t bytes);

/// Opens device memory for this thread while it lives.
class Opened {
 public:
  Opened();
  ~Opened();
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
};

}  // namespace qd::simulated
