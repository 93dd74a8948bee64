// Error of a loop with more iterations than a launch can count.
#include "runtime/ir/iterations.h"

#include <stdexcept>

namespace qd::ir {

void require_countable(int64_t iterations) {
  if (iterations == kTooManyIterations) throw std::overflow_error("a parallel loop has more than 2^62 iterations");
}

}  // namespace qd::ir
