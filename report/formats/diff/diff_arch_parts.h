// Parts about the devices that a change ran on, which several formats have in the same words.
#pragma once

#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

/// Coverage on one device of the changed lines that it can run.
struct ArchTotal {
  std::string arch;
  int64_t covered = 0, total = 0;
};

/// Totals of each measured device, by name; empty unless there are several. The host is none.
std::vector<ArchTotal> device_totals(const DiffCoverage& coverage);

/// Changed lines of all files that ran on the same devices, and never on the same others.
struct ArchGapFiles {
  std::string words;  // "covered on cpu, never on vulkan"
  int64_t n_lines = 0;
  struct FileLines {
    const DiffFile* file;
    std::string lines;  // "12-14, 20"
  };
  std::vector<FileLines> files;  // sorted by path
};
std::vector<ArchGapFiles> arch_gap_files(const DiffCoverage& coverage);

/// Headline of a gap: "Covered on cpu, never on vulkan: 7 lines".
std::string arch_gap_headline(const ArchGapFiles& gap);

}  // namespace qd::report
