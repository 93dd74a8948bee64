// Statements: one at a time, suites, and ifs.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The statements under a header; `next` is where control goes after them.
Flow lower_suite(Compilation& c, Body statements, const Stmt& header, int32_t next);

}  // namespace qd::frontend
