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

/// Nothing when `text` is no number from 0 to 100 with at most nine decimals.
std::optional<Threshold> parse_threshold(const std::string& text);

/// Whether covered/total reaches the threshold. Nothing to cover reaches every one.
bool reaches(int64_t covered, int64_t total, const Threshold& threshold);

/// How many of the missing ones must be covered before it does.
int64_t lacking(int64_t covered, int64_t total, const Threshold& threshold);

}  // namespace qd::report
