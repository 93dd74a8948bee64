// Deep sources need a stack that limits of the user may not give.
#pragma once

#include <functional>

namespace qd::cli {

/// Runs `body`, on this thread or on one with a larger stack, and gives what it gives. Threads that it starts get a
/// large stack, too. `body` must not throw.
int with_enough_stack(const std::function<int()>& body);

}  // namespace qd::cli
