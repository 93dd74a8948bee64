// Threshold comparison by cross multiplication, so that no rounding lets 99.95 pass as 100.
#include "report/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>

namespace qd::report {
namespace {

__extension__ using Wide = __int128;  // counts times 10^11 need more than 64 bits

}  // namespace

std::optional<Threshold> parse_threshold(const std::string& text) {
  Threshold result{text, 0, 1};
  bool point = false;
  int digits = 0;
  for (char c : text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9' || ++digits > 12 || result.denominator == 1'000'000'000) return std::nullopt;
    result.numerator = 10 * result.numerator + (c - '0');
    if (point) result.denominator *= 10;
  }
  if (digits == 0 || result.numerator > 100 * result.denominator) return std::nullopt;
  return result;
}

bool reaches(int64_t covered, int64_t total, const Threshold& threshold) {
  return Wide{covered} * 100 * threshold.denominator >= Wide{total} * threshold.numerator;
}

int64_t lacking(int64_t covered, int64_t total, const Threshold& threshold) {
  Wide needed = Wide{total} * threshold.numerator;
  Wide unit = Wide{100} * threshold.denominator;
  return std::max<int64_t>(0, static_cast<int64_t>((needed + unit - 1) / unit) - covered);
}

std::string percent_down(int64_t covered, int64_t total, int decimals) {
  int64_t unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  const auto value = static_cast<int64_t>(Wide{covered} * 100 * unit / total);
  return decimals == 0 ? fmt::format("{}", value) : fmt::format("{}.{:0{}}", value / unit, value % unit, decimals);
}

}  // namespace qd::report
