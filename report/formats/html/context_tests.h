// Tests as people know them: the contexts of a test's phases, and of the host and the devices that it ran on, are one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// "test_mod.py::test_a" of "test_mod.py::test_a|run|qd:cpu"; empty for what ran outside of tests.
std::string_view test_name(std::string_view context);

/// Of each context the number of its test.
struct ContextTests {
  std::vector<uint32_t> of;
  uint32_t n = 0;  // tests
};
ContextTests context_tests(const std::vector<std::string>& contexts);

}  // namespace qd::report
