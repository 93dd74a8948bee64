// Which logical lines are statements: those for which CPython's compiler leaves code after it has dropped what cannot be reached.
#pragma once

#include "report/analysis/line_set.h"
#include "report/analysis/logical_lines.h"
#include "runtime/syntax/parse.h"

namespace qd::report {

/// First lines of the logical lines that have code, with docstrings of modules and classes (they are stored) but not of functions.
LineSet find_statements(const syntax::Module& module, const LogicalLines& lines, int python_minor);

/// Physical lines of docstrings of the module and all functions and classes.
LineSet find_docstrings(const syntax::Module& module, int32_t n_lines);

}  // namespace qd::report
