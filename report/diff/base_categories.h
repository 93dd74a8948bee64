// Base categories of lines and branches in a comparison with a base report: genhtml's categories of differential
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

/// Categories in genhtml's order of interest. New: not in the base. Included: the same code, which did not count in the
/// base. Excluded: the same code, which counts no more.
enum class Category : uint8_t { UNC, LBC, UIC, UBC, GBC, GIC, GNC, CBC, EUB, ECB, DUB, DCB };
inline constexpr size_t kCategories = 12;

/// Code of a category: "LBC".
const char* category_code(Category category);
/// Name of a category: "lost baseline coverage".
const char* category_name(Category category);

/// One file compared with the base. A statement is unchanged when none of its physical lines was touched.
struct BaseFile {
  std::string path;      // present path; of a deleted file, the path in the base
  std::string old_path;  // path in the base, if it differs; else empty
  std::array<std::vector<int32_t>, kCategories>
      lines;  // first lines of statements, in the present file; of deleted ones, in the base
  std::array<std::vector<Arc>, kCategories> branches;  // the same, when both reports have branches
  std::string lost_text, gained_text;                  // "4-7, 9"
  bool no_data = false;                                // it has data in the base, and none now

  const std::vector<int32_t>& of(Category category) const { return lines[static_cast<size_t>(category)]; }
  const std::vector<Arc>& branches_of(Category category) const { return branches[static_cast<size_t>(category)]; }
};

struct BaseTotals {
  int64_t covered_lines = 0, n_lines = 0, covered_branches = 0, n_branches = 0;
  int64_t n_unknown_branches = 0;  // not among these
};

/// The comparison of all files with a base report.
struct BaseCoverage {
  std::string name;       // of the base report, as given
  std::string commit;     // the commit of the base report
  bool recorded = false;  // the report itself names the commit
  bool branches = false;  // both reports have them, and they count
  BaseTotals before, now;
  std::vector<BaseFile> files;                  // files in both, and deleted ones; sorted by path
  std::map<std::string, std::string> left_out;  // [path] -> reason why it can't be compared

  int64_t count(Category category) const;
  int64_t count_branches(Category category) const;
  int64_t lost() const { return count(Category::LBC); }
  int64_t gained() const { return count(Category::GBC); }
  /// Number of covered ones, and of all, of lines and, when they count, branches.
  int64_t covered(const BaseTotals& totals) const {
    return totals.covered_lines + (branches ? totals.covered_branches : 0);
  }
  int64_t total(const BaseTotals& totals) const { return totals.n_lines + (branches ? totals.n_branches : 0); }
};

}  // namespace qd::report
