// Tests of contexts: all phases of a test, on the host and on each device, are contexts of one test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// Name of a context's test: "test_mod.py::test_a" of "test_mod.py::test_a|run|qd:cpu"; empty for a context outside of
/// tests.
std::string_view test_name(std::string_view context);

/// The test and the device of each context.
struct ContextTests {
  std::vector<uint32_t> of;          // number of the test
  std::vector<std::string> names;    // of tests, by number
  std::vector<std::string> devices;  // of contexts; empty: the host
};
ContextTests context_tests(const std::vector<std::string>& contexts);

}  // namespace qd::report
