// Settings of gates. Doubt is an error: a text that is no setting never becomes a gate that passes.
#include "report/gate/gate_settings.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "report/data/producers.h"

namespace qd::report {

namespace {

constexpr std::string_view kAllFiles = "**";  // pattern of the whole change

/// "src/**", "qd:vulkan", "qd:vulkan:src/**".
PatternThreshold pattern_of(std::string text, const Threshold& threshold) {
  PatternThreshold one{std::move(text), "", threshold};
  const size_t end = device_prefix(one.pattern);
  if (end == 0) return one;
  const std::string context = one.pattern.substr(0, end);
  one.arch = context_parts(context).device;
  if (!is_arch_name(one.arch))
    throw InvalidGate(fmt::format("names no architecture behind '{}'", context.substr(0, context.find(':') + 1)));
  const bool has_pattern = end < one.pattern.size();
  one.pattern = has_pattern ? one.pattern.substr(end + 1) : "";
  if (has_pattern && one.pattern.empty()) throw InvalidGate("has no pattern behind the second ':'");
  if (one.pattern == kAllFiles) one.pattern.clear();
  return one;
}

}  // namespace

Threshold threshold_of(const std::string& text) {
  if (auto threshold = parse_threshold(text)) return *threshold;
  throw InvalidGate(fmt::format("is {}", kNoPercentage));
}

int64_t number_of_lines(const std::string& text) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  auto [last, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || last != end || value < 0) throw InvalidGate("is no number of lines");
  return value;
}

OnNoData on_no_data_of(const std::string& text) {
  if (text == "fail") return OnNoData::Fail;
  if (text == "warn") return OnNoData::Warn;
  if (text == "pass") return OnNoData::Pass;
  throw InvalidGate("is none of fail, warn and pass");
}

std::string required_arch(const std::string& text) {
  if (!is_arch_name(text) || text == kHostArch) throw InvalidGate("is no device; 'cpu' and 'vulkan' are some");
  return text;
}

void add_fail_under(DiffGateOptions& options, const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == 0) throw InvalidGate("has no pattern before '='");
  Threshold threshold = threshold_of(equals == std::string::npos ? text : text.substr(equals + 1));
  if (equals != std::string::npos && text.substr(0, equals) != kAllFiles) {
    options.patterns.push_back(pattern_of(text.substr(0, equals), threshold));
    return;
  }
  if (options.fail_under && options.fail_under->text != threshold.text)
    throw InvalidGate(fmt::format("is a second threshold of the whole change, beside '{}'", options.fail_under->text));
  options.fail_under = std::move(threshold);
}

}  // namespace qd::report
