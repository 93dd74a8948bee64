// Reads JUnit XML: which tests ran, and how long each took. It knows the dialects of pytest (both families), GoogleTest
// and CTest, and others with the same elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qd::report {

struct JunitTest {
  std::string file;        // as the report says, of the test or of its suite; empty when it does not
  std::string class_name;  // "tests.test_a.TestB"
  std::string name;        // "test_c[1]"
  int32_t line = -1;       // as the report says; pytest counts from 0, others from 1
  double seconds = 0;
  int32_t xml_line = 0;  // where the report says it
};

/// The tests of a report that have a time. Throws DataError ("Couldn't read 'x.xml' as JUnit XML: ...").
std::vector<JunitTest> read_junit(const std::string& path);

}  // namespace qd::report
