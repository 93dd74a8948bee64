// Settings of gates: texts that are one, and what is said of all others.
#include "report/gate/gate_settings.h"

#include <gtest/gtest.h>

namespace qd::report {
namespace {

std::string refusal(const std::string& text) {
  DiffGateOptions options;
  try {
    add_fail_under(options, text);
  } catch (const InvalidGate& error) {
    return error.what();
  }
  return "";
}

TEST(GateSettings, ThresholdsHavePatternsAndDevices) {
  DiffGateOptions options;
  for (const char* text : {"80", "src/**=90", "a=b=91", "qd:vulkan=92", "numba:cpu:src/**=93.5", "80"})
    add_fail_under(options, text);
  EXPECT_EQ(options.fail_under->text, "80");
  std::vector<std::vector<std::string>> found;
  for (const PatternThreshold& one : options.patterns) found.push_back({one.pattern, one.arch, one.threshold.text});
  EXPECT_EQ(found,
            (std::vector<std::vector<std::string>>{
                {"src/**", "", "90"}, {"a=b", "", "91"}, {"", "vulkan", "92"}, {"src/**", "numba:cpu", "93.5"}}));
}

TEST(GateSettings, DoubtIsAnError) {
  for (const char* text : {"", "nan", "inf", "-1", "+1", "100.000000001", "101", "1e2", "0x50", "8_0", " 80", "80%",
                           "99.9999999999", "a=", "a=nan", "qd:cpu=1e1"})
    EXPECT_EQ(refusal(text), "is no percentage from 0 to 100") << text;
  EXPECT_EQ(refusal("=80"), "has no pattern before '='");
  EXPECT_EQ(refusal("qd:=80"), "names no architecture behind 'qd:'");
  EXPECT_EQ(refusal("qd:CPU=80"), "names no architecture behind 'qd:'");
  EXPECT_EQ(refusal("qd:cpu:=80"), "has no pattern behind the second ':'");
  DiffGateOptions options;
  add_fail_under(options, "80");
  EXPECT_THROW(add_fail_under(options, "81"), InvalidGate);
  for (const char* text : {"", "-1", "1.5", "1e3", "99999999999999999999", "many"})
    EXPECT_THROW(number_of_lines(text), InvalidGate) << text;
  for (const char* text : {"", "host", "CPU", "a b", "qd:|"}) EXPECT_THROW(required_arch(text), InvalidGate) << text;
  EXPECT_THROW(on_no_data_of("Fail"), InvalidGate);
}

}  // namespace
}  // namespace qd::report
