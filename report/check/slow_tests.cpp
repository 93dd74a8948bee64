// Check slow-tests. The cases of a parametrised test are one test, which takes as long as its slowest case. A test that
// is in several reports counts with its longest time.
#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "report/check/check.h"
#include "report/check/test_places.h"
#include "report/formats/common/text.h"
#include "report/inputs/junit.h"

namespace qd::report {
namespace {

constexpr const char* kSlowTests = "slow-tests";
constexpr double kLeastSeconds = 0.005;  // as pytest's --durations: a faster test has no line

/// Times of a test with all its cases, from all reports.
struct TestTimes {
  TestPlace place;
  std::map<std::string, double> cases;  // [name] -> longest time

  std::pair<std::string, double> slowest() const {
    auto found =
        std::max_element(cases.begin(), cases.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return *found;
  }
};

/// Expands wildcards in a file name. The name of an existing file is taken literally.
std::vector<std::string> files_of(const std::string& pattern) {
  std::error_code error;
  if (std::filesystem::exists(pattern, error) || pattern.find_first_of("*?[") == std::string::npos) return {pattern};
  glob_t found = {};
  std::vector<std::string> files;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  if (files.empty()) throw NoDataError(fmt::format("No JUnit XML: there is no file '{}'.", pattern));
  return files;
}

/// Tests by file; in a file by line and, where only the report knows a test, by name.
using Tests = std::map<std::string, std::map<std::tuple<int32_t, std::string>, TestTimes>>;

Tests read_tests(const CheckInput& input) {
  if (input.junit.empty())
    throw ConfigError(
        "slow-tests needs the times of tests: write them with 'pytest --junitxml=junit.xml', and name the file with "
        "--junit or slow-tests-junit.");
  TestPlaces places(input);
  Tests tests;
  for (const std::string& pattern : input.junit) {
    for (const std::string& file : files_of(pattern)) {
      std::vector<JunitTest> found = read_junit(file);
      if (found.empty()) throw NoDataError(fmt::format("No times of tests in '{}'.", file));
      for (const JunitTest& test : found) {
        TestPlace place = places.find(test, file);
        std::string function = test.class_name + " " + test.name.substr(0, test.name.find('['));
        TestTimes& times = tests[place.path][{place.line, function}];
        times.place = place;
        double& seconds = times.cases[test.name];
        seconds = std::max(seconds, test.seconds);
      }
    }
  }
  return tests;
}

CheckFinding finding(Severity severity, const TestTimes& test, const std::string& name, std::string message) {
  return {kSlowTests,
          severity,
          test.place.path,
          test.place.line,
          test.place.first_line,
          std::move(message),
          name.substr(0, name.find('['))};
}

}  // namespace

void slow_tests(const CheckInput& input, CheckReport& report) {
  const Limits budgets = input.settings.limits("slow-tests-budget");
  const auto n_listed = static_cast<size_t>(input.settings.count("slow-tests-count").value_or(0));
  for (const auto& [path, tests] : read_tests(input)) {
    const std::optional<double> budget = budgets.of(path);
    std::vector<const TestTimes*> slowest;
    for (const auto& [place, test] : tests) slowest.push_back(&test);
    std::sort(slowest.begin(), slowest.end(), [](const TestTimes* a, const TestTimes* b) {
      return std::tuple(-a->slowest().second, a->place.line, a->slowest().first) <
             std::tuple(-b->slowest().second, b->place.line, b->slowest().first);
    });
    for (size_t i = 0; i < slowest.size(); ++i) {
      const TestTimes& test = *slowest[i];
      auto [name, seconds] = test.slowest();
      std::string message = fmt::format("'{}' took {} s", visible(name), seconds);
      if (budget && seconds > *budget) {
        auto over =
            std::count_if(test.cases.begin(), test.cases.end(), [&](const auto& one) { return one.second > *budget; });
        message += fmt::format(", and its budget is {} s", *budget);
        message += over > 1 ? fmt::format("; so did {} of it.", plural(over - 1, "other case")) : ".";
        report.findings.push_back(finding(Severity::Warning, test, name, std::move(message)));
      } else if (i < n_listed && seconds >= kLeastSeconds) {
        report.findings.push_back(finding(Severity::Info, test, name, message + "."));
      }
    }
  }
}

}  // namespace qd::report
