// Stack size: runs the program on a stack that is large enough for deeply nested sources, under any limit of the user.
#pragma once

#include <functional>

namespace qd::cli {

/// Runs `body`, on this thread or on one with a larger stack, and returns its result. Threads that `body` starts get a
/// large stack, too. `body` must not throw.
int with_enough_stack(const std::function<int()>& body);

}  // namespace qd::cli
