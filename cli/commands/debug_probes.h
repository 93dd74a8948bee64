// Topic 'probes' of `qd-cov debug`.
#pragma once

#include "cli/commands.h"

namespace qd::cli {

/// `arguments` are those behind the word 'probes'.
int debug_probes(const Arguments& arguments);

}  // namespace qd::cli
