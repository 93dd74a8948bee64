// Sums over the files of a change.
#include "report/formats/diff/diff_arch_parts.h"

#include <fmt/format.h>

#include <map>

#include "report/formats/common/text.h"

namespace qd::report {

std::vector<ArchTotal> device_totals(const DiffCoverage& coverage) {
  std::vector<ArchTotal> result;
  if (!coverage.has_devices()) return result;
  for (const std::string& arch : coverage.archs) {
    if (arch == kHostArch) continue;
    ArchTotal& total = result.emplace_back();
    total.arch = arch;
    for (const DiffFile& file : coverage.files) {
      auto found = file.archs.find(arch);
      if (found == file.archs.end()) continue;
      total.covered += found->second.covered(coverage.branches);
      total.total += found->second.total();
    }
  }
  return result;
}

std::vector<ArchGapFiles> arch_gap_files(const DiffCoverage& coverage) {
  std::map<std::string, ArchGapFiles> by_words;
  for (const DiffFile& file : coverage.files)
    for (const ArchGap& gap : file.arch_gaps) {
      ArchGapFiles& files = by_words[gap.words()];
      files.n_lines += static_cast<int64_t>(gap.lines.size());
      files.files.push_back({&file, file.formatted(gap.lines)});
    }
  std::vector<ArchGapFiles> result;
  for (auto& [words, files] : by_words) {
    files.words = words;
    result.push_back(std::move(files));
  }
  return result;
}

std::string arch_gap_headline(const ArchGapFiles& gap) {
  return fmt::format("C{}: {}", visible(gap.words.substr(1)), plural(gap.n_lines, "line"));
}

}  // namespace qd::report
