// Changes that several passes make to a kernel.
#pragma once

#include <unordered_map>

#include "runtime/ir/kernel.h"

namespace qd::passes {

using Replacements = std::unordered_map<ir::InstId, ir::InstId>;

/// Takes the keys out of the block and all blocks in it, and lets their users use the values instead (followed through; InstId::None: there are no users).
void replace(ir::Kernel& kernel, ir::BlockId block, const Replacements& replacements);

}  // namespace qd::passes
