// Statements: one at a time, suites, and ifs.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers the statements under a header; `next` is the line behind them.
Flow lower_suite(Compilation& c, Body statements, const Stmt& header, int32_t next);

}  // namespace qd::frontend
