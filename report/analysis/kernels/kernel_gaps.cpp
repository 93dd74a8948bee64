// Kernel gaps: groups missing lines and branches by their probe state.
#include "report/analysis/kernels/kernel_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace qd::report {

std::string format_lines(const std::vector<int32_t>& statements, const std::vector<int32_t>& lines,
                         const std::vector<Arc>& branches) {
  std::vector<std::tuple<int32_t, size_t, std::string>> items;  // by line, then in order of insertion
  auto add = [&](int32_t line, std::string text) { items.emplace_back(line, items.size(), std::move(text)); };
  for (size_t i = 0; i < lines.size(); ++i) {
    const int32_t first = lines[i];
    auto next = std::upper_bound(statements.begin(), statements.end(), first);
    for (; i + 1 < lines.size() && next != statements.end() && *next == lines[i + 1]; ++next) ++i;
    add(first, first == lines[i] ? fmt::format("{}", first) : fmt::format("{}-{}", first, lines[i]));
  }
  for (const Arc& arc : branches)
    add(arc.from, arc.to > 0 ? fmt::format("{}->{}", arc.from, arc.to) : fmt::format("{}->exit", arc.from));
  std::sort(items.begin(), items.end());
  std::string result;
  for (const auto& [line, order, text] : items) result += (result.empty() ? "" : ", ") + text;
  return result;
}

std::string KernelGap::formatted(const std::vector<int32_t>& statements) const {
  return format_lines(statements, lines, branches);
}

std::vector<KernelGap> kernel_gaps(const Analysis& analysis) {
  std::map<std::pair<const KernelProbes*, ProbeState>, KernelGap> gaps;  // pointers into one vector keep its order
  auto gap = [&](const KernelProbes* function, ProbeState state) -> KernelGap& {
    KernelGap& result = gaps[{function, state}];
    result.function = function;
    result.state = state;
    return result;
  };
  for (int32_t line : analysis.missing) {
    const KernelProbes* function = analysis.kernels.at(line);
    if (function) gap(function, function->unreached({-function->source.first_line, line})).lines.push_back(line);
  }
  auto is_missing = [&](int32_t line) {
    return std::binary_search(analysis.missing.begin(), analysis.missing.end(), line);
  };
  for (const auto& [line, destinations] : analysis.missing_branches) {
    const KernelProbes* function = analysis.kernels.at(line);
    if (!function || is_missing(line)) continue;
    for (int32_t to : destinations)
      if (!is_missing(to)) gap(function, function->unreached({line, to})).branches.push_back({line, to});
  }
  std::vector<KernelGap> result;
  for (auto& [key, value] : gaps) result.push_back(std::move(value));
  return result;
}

}  // namespace qd::report
