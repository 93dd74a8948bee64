// JUnit XML, for the times of tests:
//
//   <testsuites><testsuite name="pytest" file="...">
//     <testcase classname="tests.test_a.TestB" name="test_c[1]" time="0.012" file="tests/test_a.py" line="3"> ...
//     </testcase>
//
// The root may be a <testsuite>, and suites may hold suites. The content of a <testcase> is not used here.
#include "report/inputs/junit.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "report/inputs/xml_document.h"

namespace qd::report {

namespace {

constexpr const char* kJunitXml = "JUnit XML";

class JunitReader {
 public:
  explicit JunitReader(InputFile& input) : xml_(input, kJunitXml) {}

  std::vector<JunitTest> read() && {
    xml_.read(*this);
    return std::move(tests_);
  }

  void start(std::string_view name, const XmlAttributes& attributes) {
    if (open_.empty() && name != "testsuites" && name != "testsuite")
      return xml_.stop(fmt::format("its root is <{}>, not <testsuites> or <testsuite>", name));
    bool is_suite = name == "testsuite" || name == "testsuites";
    bool in_suite = open_.empty() || open_.back().is_suite;
    const char* file = attributes.find("file");
    open_.push_back({is_suite && in_suite, file && *file ? file : open_.empty() || !is_suite ? "" : open_.back().file});
    if (name == "testcase" && in_suite)
      add(attributes.find("classname"), attributes.find("name"), attributes.find("time"), file,
          attributes.find("line"));
  }

  void end(std::string_view) { open_.pop_back(); }
  void text(std::string_view) {}

 private:
  void add(const char* class_name, const char* name, const char* time, const char* file, const char* line_text) {
    if (!name) return xml_.stop("a <testcase> has no name");
    if (!time || !*time) return;  // a test without a time did not run
    std::optional<double> seconds = parse_seconds(time);
    if (!seconds) return xml_.stop(fmt::format("'{}' is no time", time));
    JunitTest& test = tests_.emplace_back();
    test.file = file && *file ? file : open_[open_.size() - 2].file;
    test.class_name = class_name ? class_name : "";
    test.name = name;
    test.seconds = *seconds;
    test.xml_line = xml_.line();
    if (std::optional<int32_t> line = whole_number<int32_t>(line_text); line && *line >= 0) test.line = *line;
  }

  /// Parses seconds: "0.012", "0.", "1.2e-05", "1,234.5"
  static std::optional<double> parse_seconds(std::string_view text) {
    std::string digits;
    for (char c : text)
      if (c != ',') digits += c;
    double value = 0;
    auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || last != digits.data() + digits.size() || !std::isfinite(value) || value < 0)
      return std::nullopt;
    return value;
  }

  struct Element {
    bool is_suite;
    std::string file;
  };

  XmlDocument xml_;
  std::vector<Element> open_;
  std::vector<JunitTest> tests_;
};

}  // namespace

std::vector<JunitTest> read_junit(const std::string& path) {
  InputFile input(path);
  return JunitReader(input).read();
}

}  // namespace qd::report
