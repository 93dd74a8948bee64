// Test contexts: the contexts of the data that name tests.
#pragma once

#include <set>
#include <string>

#include "report/data/coverage_data.h"

namespace qd::report {

/// Whether a context names a test: "tests/test_a.py::test_b|run" (pytest-cov, qd-cov run) or "test_a.TestB.test_c"
/// (coverage.py's test_function). A static context may stand before it ("linux|..."), and a kernel's device behind it
/// ("...|qd:cpu"). A static context alone names no test.
bool names_test(std::string_view context);

/// Returns the contexts of `data` that name tests.
std::set<ContextId> test_contexts(const CoverageData& data);

}  // namespace qd::report
