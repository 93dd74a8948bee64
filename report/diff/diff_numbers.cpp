// Numbers of a change: sums over its files, ranges of missing lines, percentages.
#include <fmt/format.h>

#include <algorithm>

#include "report/diff/diff_coverage.h"

namespace qd::report {

std::vector<int32_t> DiffFile::lacking(bool branches) const {
  std::vector<int32_t> lines = missing;
  if (branches) {
    for (const auto& [line, destinations] : missing_branches) lines.push_back(line);
    for (const auto& [line, count] : missing_counts) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

int64_t DiffFile::covered(bool branches) const { return total() - static_cast<int64_t>(lacking(branches).size()); }

int64_t DiffFile::doubtful(bool branches) const {
  if (!branches) return 0;
  const std::vector<int32_t> open = lacking(true);
  return std::ranges::count_if(unknown, [&](int32_t line) { return !std::ranges::binary_search(open, line); });
}

int64_t ArchLines::covered(bool branches) const {
  return total() - static_cast<int64_t>(missing.size()) -
         (branches ? static_cast<int64_t>(missing_branches.size()) : 0);
}

int64_t ArchLines::doubtful(bool branches) const {
  if (!branches) return 0;
  return std::ranges::count_if(unknown, [&](int32_t line) { return !missing_branches.contains(line); });
}

std::string DiffFile::arch_gap_of(int32_t line) const {
  for (const ArchGap& gap : arch_gaps)
    if (std::ranges::binary_search(gap.lines, line)) return gap.words();
  return "";
}

std::string DiffFile::formatted(const std::vector<int32_t>& lines) const {
  std::string result;
  for (const MissingRange& range : ranges(lines))
    result += fmt::format("{}{}{}", result.empty() ? "" : ", ", range.first,
                          range.first == range.last ? "" : fmt::format("-{}", range.last));
  return result;
}

std::vector<MissingRange> DiffFile::ranges(const std::vector<int32_t>& lines) const {
  auto joined = [&](int32_t from, int32_t to) {
    for (int32_t line = from + 1; line < to; ++line) {
      bool first = source.first_lines[static_cast<size_t>(line) - 1] == line;
      if (first && source.state(line) != LineState::NotStatement && source.state(line) != LineState::Excluded)
        return false;
    }
    return true;
  };
  std::vector<MissingRange> ranges;
  for (int32_t line : lines) {
    if (!ranges.empty() && joined(ranges.back().last, line)) {
      ranges.back().last = line;
      ++ranges.back().n_statements;
    } else {
      ranges.push_back({line, line, 1});
    }
  }
  return ranges;
}

std::string DiffFile::missing_formatted(bool branches) const {
  std::vector<std::pair<int32_t, std::string>> items;
  for (const MissingRange& range : missing_ranges())
    items.emplace_back(range.first, range.first == range.last ? fmt::format("{}", range.first)
                                                              : fmt::format("{}-{}", range.first, range.last));
  if (branches) {
    for (const auto& [line, destinations] : missing_branches)
      for (int32_t to : destinations)
        items.emplace_back(line, to < 0 ? fmt::format("{}->exit", line) : fmt::format("{}->{}", line, to));
    for (const auto& [line, count] : missing_counts)
      items.emplace_back(line, fmt::format("{}: {}", line, count.text()));
    std::sort(items.begin(), items.end());
  }
  std::string result;
  for (const auto& [line, text] : items) result += (result.empty() ? "" : ", ") + text;
  return result;
}

int64_t DiffCoverage::total() const {
  int64_t sum = 0;
  for (const DiffFile& file : files) sum += file.total();
  return sum;
}

int64_t DiffCoverage::covered() const {
  int64_t sum = 0;
  for (const DiffFile& file : files) sum += file.covered(branches);
  return sum;
}

int64_t DiffCoverage::doubtful() const {
  int64_t sum = 0;
  for (const DiffFile& file : files) sum += file.doubtful(branches);
  return sum;
}

size_t DiffCoverage::n_devices() const {
  return static_cast<size_t>(std::ranges::count_if(archs, [](const std::string& arch) { return arch != kHostArch; }));
}

int64_t DiffCoverage::n_arch_gaps() const {
  int64_t n = 0;
  for (const DiffFile& file : files)
    for (const ArchGap& gap : file.arch_gaps) n += static_cast<int64_t>(gap.lines.size());
  return n;
}

bool DiffCoverage::has_kernel_lines() const {
  return std::ranges::any_of(files, [](const DiffFile& file) {
    return std::ranges::any_of(file.statements, [&](int32_t line) {
      return (file.source.origins[static_cast<size_t>(line) - 1] & kKernel) != 0;
    });
  });
}

GradientNumbers DiffCoverage::gradient_numbers() const {
  GradientNumbers sum;
  for (const DiffFile& file : files) sum += file.gradients.numbers();
  return sum;
}

ConditionNumbers DiffCoverage::condition_numbers() const {
  ConditionNumbers sum;
  for (const DiffFile& file : files) sum += report::condition_numbers(file.decisions);
  return sum;
}

std::string percent(int64_t covered, int64_t total) {
  if (total == 0 || covered == total) return "100";
  if (covered == 0) return "0";
  // Tenths of a percent, rounded half up; 0 and 100 are reserved for exact values.
  int64_t tenths = std::clamp<int64_t>((covered * 2000 + total) / (2 * total), 1, 999);
  return tenths % 10 == 0 ? fmt::format("{}", tenths / 10) : fmt::format("{}.{}", tenths / 10, tenths % 10);
}

}  // namespace qd::report
