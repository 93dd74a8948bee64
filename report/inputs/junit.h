// JUnit XML: the tests that ran, with their times. The reader knows the dialects of pytest (both families), GoogleTest
// and CTest, and others with the same elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qd::report {

struct JunitTest {
  std::string file;        // as in the report, of the test or of its suite; empty when it has none
  std::string class_name;  // "tests.test_a.TestB"
  std::string name;        // "test_c[1]"
  int32_t line = -1;       // as in the report; pytest counts from 0, others from 1
  double seconds = 0;
  int32_t xml_line = 0;  // line of the test in the report
};

/// Returns the tests of a report that have a time. Throws DataError ("Couldn't read 'x.xml' as JUnit XML: ...").
std::vector<JunitTest> read_junit(const std::string& path);

}  // namespace qd::report
