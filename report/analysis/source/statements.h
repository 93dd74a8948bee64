// Statements of a source: the lines for which CPython's compiler emits code, after it has dropped unreachable code.
#pragma once

#include "report/analysis/source/line_set.h"
#include "runtime/syntax/parse.h"

namespace qd::report {

/// Returns the lines on which statements with code begin, decorators, handlers and patterns of cases too. Docstrings of
/// modules and classes are among them (they are stored), those of functions are not. `annotate`: functions named
/// __annotate__ count like others, as they did before coverage.py left them out.
LineSet find_statements(const syntax::Module& module, int32_t n_lines, int python_minor, bool annotate = false);

/// Physical lines of docstrings of the module and all functions and classes.
LineSet find_docstrings(const syntax::Module& module, int32_t n_lines);

/// The same before coverage.py 7.5.2: strings that come first on an indented line or in the file.
LineSet find_first_strings(const syntax::Module& module, int32_t n_lines, int python_minor);

}  // namespace qd::report
