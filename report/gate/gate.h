// Thresholds on a percentage, compared as exact fractions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qd::report {

/// A percentage from 0 to 100 as it was written: 99.9 is 999/10.
struct Threshold {
  std::string text;
  int64_t numerator = 0;
  int64_t denominator = 1;  // a power of ten
};

/// Parses a threshold. Nothing when `text` is no number from 0 to 100 with at most nine decimals.
std::optional<Threshold> parse_threshold(const std::string& text);

/// Description of a text that is no threshold, for messages: "'120' is no percentage from 0 to 100".
inline constexpr const char* kNoPercentage = "no percentage from 0 to 100";

/// Whether covered/total reaches the threshold. A total of 0 reaches every one.
bool reaches(int64_t covered, int64_t total, const Threshold& threshold);

/// Smallest number of missing ones that have to be covered to reach the threshold.
int64_t lacking(int64_t covered, int64_t total, const Threshold& threshold);

/// A percentage cut off behind this many decimals, 0 to 9: "66.66" of 2/3. `total` is above 0.
std::string percent_down(int64_t covered, int64_t total, int decimals);

}  // namespace qd::report
