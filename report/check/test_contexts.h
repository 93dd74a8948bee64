// Which contexts of the data are tests.
#pragma once

#include <set>
#include <string>

#include "report/data/coverage_data.h"

namespace qd::report {

/// Whether a context names a test: "tests/test_a.py::test_b|run" (pytest-cov, qd-cov run), "test_a.TestB.test_c"
/// (coverage.py's test_function), each perhaps behind a static context ("linux|...") and before a kernel's device
/// ("...|qd:cpu"). A static context alone does not.
bool names_test(std::string context);

/// The contexts of `data` that do.
std::set<ContextId> test_contexts(const CoverageData& data);

}  // namespace qd::report
