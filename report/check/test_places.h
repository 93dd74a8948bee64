// Places of a JUnit report's tests in the sources.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/check/check.h"
#include "report/inputs/junit.h"

namespace qd::report {

struct TestPlace {
  std::string path;        // in the form of findings' paths
  int32_t line = 1;        // of the `def`
  int32_t first_line = 1;  // of its first decorator
};

class TestPlaces {
 public:
  explicit TestPlaces(const CheckInput& input) : input_(input) {}

  /// Finds the place of a test of the report at `xml`. A Python test is looked up by its name in its file. (pytest's
  /// usual reports only name the module.) A test that is not found gets the place of its class, or the start of its
  /// file. A test without a file gets its place in the report.
  TestPlace find(const JunitTest& test, const std::string& xml);

 private:
  struct Definition {
    std::string name;  // "TestA.test_b"
    int32_t first_line, line;
  };
  struct Module {
    std::string path;
    std::string classes;  // the rest of the class name
  };

  std::vector<std::string> bases(const std::string& xml) const;
  std::optional<std::string> existing_file(const std::string& name, const std::string& xml) const;
  const std::optional<Module>& module_of(const std::string& class_name, const std::string& xml);
  const std::vector<Definition>& definitions(const std::string& path);
  TestPlace in_python(const std::string& path, const std::string& classes, const JunitTest& test);

  const CheckInput& input_;
  std::map<std::pair<std::string, std::string>, std::optional<Module>> modules_;  // [folder of the report, class name]
  std::map<std::string, std::vector<Definition>> definitions_;
};

}  // namespace qd::report
