// Exclusion spreading: a pattern matches lines; these functions add the code that belongs to them.
#pragma once

#include "report/analysis/source/line_set.h"
#include "runtime/syntax/parse.h"

namespace qd::report {

/// Adds the suites of clauses whose header has an excluded line. `excluded` holds physical lines.
/// `decorators`: an excluded decorator excludes its function or class, as coverage.py did before it had
/// exclude_definitions' rule.
void exclude_suites(const std::vector<syntax::Token>& tokens, LineSet& excluded, bool decorators = false);

/// Adds every line of functions and classes of which a decorator or the header is excluded, and the line of a last
/// `case _` whose whole suite is. `excluded` holds first lines of logical lines, `statements` is the result of
/// find_statements.
void exclude_definitions(const syntax::Module& module, const LineSet& statements, LineSet& excluded);

}  // namespace qd::report
