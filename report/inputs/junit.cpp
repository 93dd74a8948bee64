// <testsuites><testsuite name="pytest" file="...">
//   <testcase classname="tests.test_a.TestB" name="test_c[1]" time="0.012" file="tests/test_a.py" line="3"> ... </testcase>
//
// The root may be a <testsuite>, suites may hold suites. What stands in a <testcase> is of no interest here.
#include "report/inputs/junit.h"

#include <expat.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

#include "report/inputs/input_file.h"

namespace qd::report {

namespace {

constexpr const char* kFormat = "JUnit XML";
constexpr size_t kMaxDepth = 200;
constexpr size_t kMaxToken = 16u << 20;  // bytes without an element or a text ending: expat keeps them all

class JunitReader {
 public:
  explicit JunitReader(InputFile& input) : input_(input), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(), [](void* self, const char* name, const char** attributes) { static_cast<JunitReader*>(self)->start(name, attributes); },
        [](void* self, const char*) { static_cast<JunitReader*>(self)->end(); });
    XML_SetCharacterDataHandler(parser_.get(), [](void* self, const char*, int) { static_cast<JunitReader*>(self)->unfinished_ = 0; });
    XML_SetEntityDeclHandler(parser_.get(), [](void* self, const char*, int, const char*, int, const char*, const char*, const char*, const char*) {
      static_cast<JunitReader*>(self)->stop("it declares an entity, which no report of tests needs");
    });
  }

  std::vector<JunitTest> read() && {
    for (;;) {
      std::string_view piece = input_.next();
      unfinished_ += piece.size();
      bool ok = XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), piece.empty()) == XML_STATUS_OK;
      if (!reason_.empty()) input_.fail(kFormat, place_, reason_);
      if (!ok) input_.fail(kFormat, place(), XML_ErrorString(XML_GetErrorCode(parser_.get())));
      if (unfinished_ > kMaxToken) input_.fail(kFormat, place(), "a tag or comment is too long");
      if (piece.empty()) break;
    }
    return std::move(tests_);
  }

 private:
  std::string place() const { return fmt::format("line {}", line()); }
  int32_t line() const { return static_cast<int32_t>(std::min<XML_Size>(XML_GetCurrentLineNumber(parser_.get()), INT32_MAX)); }

  /// expat is C: no exception may pass through it.
  void stop(std::string reason) {
    if (!reason_.empty()) return;
    place_ = place();
    reason_ = std::move(reason);
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void start(std::string_view name, const char** attributes) {
    unfinished_ = 0;
    if (!reason_.empty()) return;
    auto attribute = [&](std::string_view wanted) -> const char* {
      for (const char** a = attributes; *a; a += 2)
        if (wanted == *a) return a[1];
      return nullptr;
    };
    if (open_.empty() && name != "testsuites" && name != "testsuite") return stop(fmt::format("its root is <{}>, not <testsuites> or <testsuite>", name));
    if (open_.size() >= kMaxDepth) return stop("its elements are nested too deep");
    bool is_suite = name == "testsuite" || name == "testsuites";
    bool in_suite = open_.empty() || open_.back().is_suite;
    const char* file = attribute("file");
    open_.push_back({is_suite && in_suite, file && *file ? file : open_.empty() || !is_suite ? "" : open_.back().file});
    if (name == "testcase" && in_suite) add(attribute("classname"), attribute("name"), attribute("time"), file, attribute("line"));
  }

  void end() {
    unfinished_ = 0;
    if (reason_.empty()) open_.pop_back();
  }

  void add(const char* class_name, const char* name, const char* time, const char* file, const char* line_text) {
    if (!name) return stop("a <testcase> has no name");
    if (!time || !*time) return;  // it did not run
    std::optional<double> seconds = parse_seconds(time);
    if (!seconds) return stop(fmt::format("'{}' is no time", time));
    JunitTest& test = tests_.emplace_back();
    test.file = file && *file ? file : open_[open_.size() - 2].file;
    test.class_name = class_name ? class_name : "";
    test.name = name;
    test.seconds = *seconds;
    test.xml_line = line();
    if (line_text) {
      const char* end = line_text + std::strlen(line_text);
      int32_t value = 0;
      if (auto [last, error] = std::from_chars(line_text, end, value); error == std::errc() && last == end && value >= 0) test.line = value;
    }
  }

  /// "0.012", "0.", "1.2e-05", "1,234.5"
  static std::optional<double> parse_seconds(std::string_view text) {
    std::string digits;
    for (char c : text)
      if (c != ',') digits += c;
    double value = 0;
    auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || last != digits.data() + digits.size() || !std::isfinite(value) || value < 0) return std::nullopt;
    return value;
  }

  struct Element {
    bool is_suite;
    std::string file;
  };

  InputFile& input_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser_;
  std::string reason_, place_;  // why it stopped
  size_t unfinished_ = 0;
  std::vector<Element> open_;
  std::vector<JunitTest> tests_;
};

}  // namespace

std::vector<JunitTest> read_junit(const std::string& path) {
  InputFile input(path);
  return JunitReader(input).read();
}

}  // namespace qd::report
