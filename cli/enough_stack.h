// Gives the program a stack that is large enough for deeply nested sources, whatever the user's limit is.
#pragma once

#include <functional>

namespace qd::cli {

/// Runs `body`, on this thread or on one with a larger stack, and returns its result. Threads that `body` starts get a
/// large stack, too. `body` must not throw.
int with_enough_stack(const std::function<int()>& body);

}  // namespace qd::cli
