// Numbers by arch. The host's numbers of a file without kernels are not computed again.
#include "report/formats/html/arch_numbers.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/analysis/numbers.h"

namespace qd::report {

namespace {

ArchNumbers::Count count_of(const Numbers& n) {
  return {int64_t{n.n_statements} + n.n_branches, int64_t{n.n_executed()} + n.n_executed_branches()};
}

}  // namespace

ArchNumbers& ArchNumbers::operator+=(const ArchNumbers& other) {
  counts.resize(std::max(counts.size(), other.counts.size()));
  first_is_host = first_is_host || other.first_is_host;
  for (size_t i = 0; i < other.counts.size(); ++i) {
    counts[i].total += other.counts[i].total;
    counts[i].done += other.counts[i].done;
  }
  return *this;
}

std::string ArchNumbers::Count::percent(int precision) const {
  return display_covered(100.0 * static_cast<double>(done) / static_cast<double>(total), precision);
}

bool ArchNumbers::differ_from(const Numbers& n) const {
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] != (i == 0 && first_is_host ? count_of(n) : Count())) return true;
  return false;
}

std::string ArchNumbers::json() const {
  if (counts.empty()) return "";
  std::string result;
  for (const Count& count : counts)
    result += fmt::format("{}{},{}", result.empty() ? "" : ",", count.total, count.done);
  return fmt::format(",[{}]", result);
}

std::vector<std::string> arch_marks(const std::vector<std::string>& archs) {
  const auto n_devices = std::ranges::count_if(archs, [](const std::string& arch) { return arch != kHostArch; });
  std::vector<std::string> marks;
  for (const std::string& arch : archs) {
    std::string mark = arch == kHostArch ? "" : "K";
    for (size_t size = 1; n_devices > 1 && arch != kHostArch && size <= arch.size(); ++size) {
      mark = arch.substr(0, size);
      if (std::ranges::count_if(archs,
                                [&](const std::string& one) { return one != kHostArch && one.starts_with(mark); }) == 1)
        break;
    }
    if (!mark.empty() && mark[0] >= 'a' && mark[0] <= 'z') mark[0] = static_cast<char>(mark[0] - 'a' + 'A');
    marks.push_back(std::move(mark));
  }
  return marks;
}

ArchCounter::ArchCounter(const std::vector<ArchCoverage>& archs) : archs_(archs) {
  const bool only_host =
      std::ranges::all_of(archs, [](const ArchCoverage& arch) { return arch.is_host() || arch.lines.empty(); });
  if (only_host) return;
  for (const ArchCoverage& arch : archs) parts_.emplace_back(*arch.analysis);
}

ArchNumbers ArchCounter::count(const LineRanges& lines, const Numbers& n) {
  ArchNumbers result;
  result.first_is_host = !archs_.empty() && archs_.front().is_host();
  for (size_t i = 0; i < archs_.size(); ++i) {
    if (parts_.empty()) {
      result.counts.push_back(archs_[i].is_host() ? count_of(n) : ArchNumbers::Count());
      continue;
    }
    parts_[i].cut(common_ranges(archs_[i].lines, lines), part_);
    result.counts.push_back(count_of(part_.numbers));
  }
  return result;
}

}  // namespace qd::report
