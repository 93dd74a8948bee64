// Diff coverage: which of the changed statements the measured data covers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/data/version_notes.h"
#include "report/diff/base_categories.h"
#include "report/diff/changes.h"

namespace qd::report {

/// The state of a physical line, as a report shows it. A continuation line has the state of its statement.
enum class LineState : uint8_t { NotStatement, Covered, Partial, Missing, Excluded };

/// Who ran a line: one bit each.
enum LineOrigin : uint8_t { kNobody = 0, kHost = 1, kKernel = 2 };

/// How many branches of a line were never taken, and how many there are: "1 of 2 branches".
struct BranchCount {
  int32_t missing = 0, total = 0;
  std::string text() const;
};

/// A source file, line by line, with what was measured in it. Index 0 of the vectors stands for line 1.
struct AnnotatedSource {
  std::vector<std::string> lines;  // UTF-8, without line ends
  std::vector<LineState> states;
  std::vector<uint8_t> origins;                              // LineOrigin bits
  std::vector<int32_t> first_lines;                          // of the logical line that the line belongs to
  std::map<int32_t, std::vector<int32_t>> missing_branches;  // [first line] -> destinations never taken
  /// A way out of a line that never took all of them.
  struct Branch {
    Arc arc;
    bool taken = false;
    std::string what;  // "jump to line 12"
  };
  std::map<int32_t, std::vector<Branch>> branches;  // [first line], of the lines of `missing_branches`
  std::map<int32_t, BranchCount> missing_counts;    // the same of an imported file, whose branches have no destinations
  /// Why a line or branch of a kernel is missing.
  struct KernelState {
    ProbeState state = ProbeState::NotHit;
    std::string why;
  };
  std::map<int32_t, KernelState>
      kernel_lines;  // [first line] of missing ones; empty when the data does not say what was compiled
  std::map<Arc, KernelState> kernel_branches;  // of missing_branches

  int32_t n_lines() const { return static_cast<int32_t>(lines.size()); }
  LineState state(int32_t line) const { return states[static_cast<size_t>(line) - 1]; }
  bool has_kernel_lines() const;
};

/// Fills the states and origins of every line of `text` (as read_source gives it).
AnnotatedSource annotate(const std::string& text, const Analysis& analysis, const FileData& data,
                         const std::vector<std::string>& contexts);
/// The lines without states, for a file about which nothing is known.
AnnotatedSource annotate_unmeasured(const std::string& text);

/// Statements that follow each other, given by their first lines.
struct MissingRange {
  int32_t first = 0, last = 0;
  int32_t n_statements = 1;
};

/// What ran on one arch of the changed statements of a file that it can run.
struct ArchLines {
  std::vector<int32_t> statements, missing;
  std::map<int32_t, std::vector<int32_t>> missing_branches;  // of the statements that ran

  int64_t total() const { return static_cast<int64_t>(statements.size()); }
  /// With `branches`, a statement that never took one of its branches there is not covered.
  int64_t covered(bool branches) const;
};

/// One changed file: of Python, or one that was imported.
struct DiffFile {
  std::string path;      // relative to the top of the working tree
  std::string old_path;  // where it was renamed from; else empty
  ChangeKind kind = ChangeKind::Modified;
  std::string not_measured;                     // why there are no numbers; empty when there are
  bool is_ambiguous = false;                    // then: because a name in a report fits other files, too
  SourceVersion version = SourceVersion::This;  // of the data
  std::vector<int32_t> changed;                 // new or changed physical lines
  std::vector<int32_t> removed_after;           // lines that something was removed after
  std::vector<int32_t> statements;              // first lines of the changed statements, without excluded ones
  std::vector<int32_t> missing;                 // those of them that never ran
  std::map<int32_t, std::vector<int32_t>> missing_branches;  // of the changed statements that ran
  std::map<int32_t, BranchCount> missing_counts;             // the same of an imported file
  int32_t n_branches = 0;                                    // of the changed statements
  int32_t n_missing_branches = 0;
  int32_t unmeasured_statements = 0;        // changed statements of a file that is not measured
  std::vector<DecisionCoverage> decisions;  // of the changed statements, when conditions are asked for
  std::map<std::string, ArchLines> archs;   // in a measured file, by the names of DiffCoverage::archs
  std::vector<ArchGap> arch_gaps;           // changed statements of kernels that ran on one device, never on another
  std::vector<int32_t> lost;                // statements that are not changed, and were covered in the base report
  AnnotatedSource source;
  const FileData* data = nullptr;  // what was measured in a Python file; lives as long as the data

  bool measured() const { return not_measured.empty(); }
  int64_t total() const { return static_cast<int64_t>(statements.size()); }
  /// With `branches`, a statement that never took one of its branches is not covered.
  int64_t covered(bool branches) const;
  /// The statements that are not covered.
  std::vector<int32_t> lacking(bool branches) const;
  /// Missing statements in ranges; statements that are not missing end one, whether changed or not.
  std::vector<MissingRange> missing_ranges() const { return ranges(missing); }
  /// The same of other lines, sorted.
  std::vector<MissingRange> ranges(const std::vector<int32_t>& lines) const;
  /// The same of `lost`.
  std::vector<MissingRange> lost_ranges() const { return ranges(lost); }
  /// "covered on cpu, never on vulkan", of the statement that begins on a line; empty where there is no such gap.
  std::string arch_gap_of(int32_t line) const;
  /// "4-7, 9".
  std::string formatted(const std::vector<int32_t>& lines) const;
  /// "4-7, 9" and, with branches, "12->exit".
  std::string missing_formatted(bool branches) const;
};

/// How much of the change one of several inputs covers.
struct InputCoverage {
  std::string name;
  int64_t total = 0;                                    // of all inputs together
  int64_t covered = 0;                                  // by this one
  std::map<std::string, std::vector<int32_t>> missing;  // [path], of the files that it measured
  std::vector<std::string> of_other_versions;           // files that it measured, but not as they stand
};

struct DiffCoverage {
  std::string title;                              // "main...HEAD, staged and unstaged changes"
  std::string compare_branch, base_commit, head;  // empty where not known
  bool from_merge_base = true;                    // base_commit is where HEAD left compare_branch
  bool has_arcs = false;
  bool branches = false;                 // a line counts as covered when its branches are, too; branches are shown
  int64_t n_changed_lines = 0;           // of all files of the change, of source or not
  bool conditions = false;               // conditions are shown
  std::vector<DiffFile> files;           // measured, with changed statements; sorted by path
  std::vector<DiffFile> without_lines;   // measured, but no statement changed
  std::vector<DiffFile> not_measured;    // Python files without numbers
  VersionNotes versions;                 // of the data of `files`, and of those in `not_measured` that there is data of
  std::optional<Numbers> overall;        // of all measured files, when the caller fills it in
  VersionNotes overall_versions;         // of the data of all of them
  std::vector<std::string> archs;        // measured_archs() of the data
  std::vector<InputCoverage> inputs;     // of DiffCoverageOptions::inputs
  std::optional<BaseCoverage> base;      // against a base report, when there is one
  std::vector<DiffFile> lost_elsewhere;  // files that are not in `files` and have `lost`; sorted by path
  std::vector<std::string> notes;        // what the reader should know about these numbers

  int64_t total() const;
  int64_t covered() const;
  int64_t missing() const { return total() - covered(); }
  ConditionNumbers condition_numbers() const;
  /// Whether more than one device was measured, so that they can be compared.
  bool has_devices() const { return n_devices() > 1; }
  size_t n_devices() const;
  int64_t n_arch_gaps() const;  // statements
  bool has_lines() const { return total() > 0; }
};

/// One of several inputs.
struct NamedData {
  std::string name;
  const CoverageData* data;
};

struct DiffCoverageOptions {
  Exclusions exclusions;
  int python_minor = kDefaultPythonMinor;
  bool branches = false;
  bool conditions = false;
  bool exact_lines = false;      // a statement is changed when its first line is, not when any line of it is
  bool expand_imported = false;  // lines that an imported report leaves out are as the one before them, and count
  std::vector<std::string> require_archs;  // devices on which lines have to run that run on others; empty: all that
                                           // were measured
  bool ignore_errors = false;              // a measured file that does not parse is "not measured", no error
  /// Whether a file (absolute path; whether there is data of it) is to be reported; empty: all are.
  std::function<bool(const std::string& path, bool measured)> wanted;
  std::vector<NamedData> inputs;  // whose shares are wanted too; all of them together are the data
};

/// Joins changes with data. Paths of the data are absolute, or relative to the current folder. Throws NotPython,
/// NoSource.
DiffCoverage diff_coverage(const Changes& changes, const CoverageData& data, const DiffCoverageOptions& options);

/// Of 0..100: "87.5" or "88", never "0" or "100" unless it is exactly that.
std::string percent(int64_t covered, int64_t total);

}  // namespace qd::report
