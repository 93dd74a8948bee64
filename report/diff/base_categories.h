// The categories of lines and branches in a comparison with a base report: genhtml's categories of differential
// coverage.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/data/arc.h"

namespace qd::report {

/// In genhtml's order of interest. New: not in the base. Included: the same code, which did not count. Excluded: the
/// same code, which counts no more.
enum class Category : uint8_t { UNC, LBC, UIC, UBC, GBC, GIC, GNC, CBC, EUB, ECB, DUB, DCB };
inline constexpr size_t kCategories = 12;

/// "LBC".
const char* category_code(Category category);
/// "lost baseline coverage".
const char* category_name(Category category);

/// One file compared with the base. A statement is unchanged when none of its physical lines was touched.
struct BaseFile {
  std::string path;      // as it is now; of a file that is gone, as it was
  std::string old_path;  // in the base, where that is another; else empty
  std::array<std::vector<int32_t>, kCategories>
      lines;  // first lines of statements, as they are now; of deleted ones, as they were
  std::array<std::vector<Arc>, kCategories> branches;  // the same, when both reports have branches
  std::string lost_text, gained_text;                  // "4-7, 9"
  bool no_data = false;                                // it was measured for the base, and is not now

  const std::vector<int32_t>& of(Category category) const { return lines[static_cast<size_t>(category)]; }
  const std::vector<Arc>& branches_of(Category category) const { return branches[static_cast<size_t>(category)]; }
};

struct BaseTotals {
  int64_t covered_lines = 0, n_lines = 0, covered_branches = 0, n_branches = 0;
};

/// The comparison of all files with a base report.
struct BaseCoverage {
  std::string name;       // of the report, as given
  std::string commit;     // that it is of
  bool recorded = false;  // the report itself says so
  bool branches = false;  // both reports have them, and they count
  BaseTotals before, now;
  std::vector<BaseFile> files;                  // that are in both, or gone; sorted by path
  std::map<std::string, std::string> left_out;  // [path] -> why it can't be compared

  int64_t count(Category category) const;
  int64_t count_branches(Category category) const;
  int64_t lost() const { return count(Category::LBC); }
  int64_t gained() const { return count(Category::GBC); }
  /// Covered and all, of lines and, when they count, branches.
  int64_t covered(const BaseTotals& totals) const {
    return totals.covered_lines + (branches ? totals.covered_branches : 0);
  }
  int64_t total(const BaseTotals& totals) const { return totals.n_lines + (branches ? totals.n_branches : 0); }
};

}  // namespace qd::report
