// Checkpoints: parts of a kernel that a launch may skip, and behind which it may yield.
#pragma once

#include <functional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// `with qd.checkpoint(label, yield_on=flag):`; `body` lowers what it holds.
void checkpoint(Compilation& c, const syntax::Call& call, const std::function<void()>& body);
/// Whether a for-loop that stands here is a checkpoint without a label.
bool is_implicit_checkpoint(Compilation& c);
/// Lowers such a loop.
void implicit_checkpoint(Compilation& c, const std::function<void()>& loop);
/// What a do-while of a kernel with checkpoints does when it is about to begin another pass: all checkpoints run again.
void resume_no_more(Compilation& c);
/// Whether the launch has yielded.
ir::InstId has_yielded(Compilation& c);

}  // namespace qd::frontend
