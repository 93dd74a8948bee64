// Checkpoints: parts of a kernel that a launch may skip, and behind which it may yield.
#pragma once

#include <functional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers `with qd.checkpoint(label, yield_on=flag):`; `body` lowers its statements.
void checkpoint(Compilation& c, const syntax::Call& call, const std::function<void()>& body);
/// Whether a for-loop at this place is a checkpoint without a label.
bool is_implicit_checkpoint(Compilation& c);
/// Lowers such a loop.
void implicit_checkpoint(Compilation& c, const std::function<void()>& loop);
/// Emits the end of a resumption, when a do-while of a kernel with checkpoints begins another pass: all run again.
void resume_no_more(Compilation& c);
/// Emits the test whether the launch has yielded.
ir::InstId has_yielded(Compilation& c);

}  // namespace qd::frontend
