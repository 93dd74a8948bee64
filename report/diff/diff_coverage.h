// Diff coverage: the changed statements, and the share of them that the measured data covers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/config/config.h"
#include "report/data/version_notes.h"
#include "report/diff/base_categories.h"
#include "report/diff/changes.h"

namespace qd::report {

/// State of a physical line, as a report shows it. A continuation line has the state of its statement.
enum class LineState : uint8_t { NotStatement, Covered, Partial, Missing, Excluded };

/// Origins of a line's execution: one bit each.
enum LineOrigin : uint8_t { kNobody = 0, kHost = 1, kKernel = 2 };

/// Number of a line's branches that were never taken, and of all: "1 of 2 branches".
struct BranchCount {
  int32_t missing = 0, total = 0;
  std::string text() const;
};

/// A source file with its measured data, line by line. Index 0 of the vectors stands for line 1.
struct AnnotatedSource {
  std::vector<std::string> lines;  // UTF-8, without line ends
  std::vector<LineState> states;
  std::vector<uint8_t> origins;                              // LineOrigin bits
  std::vector<int32_t> first_lines;                          // first line of the logical line of each line
  std::map<int32_t, std::vector<int32_t>> missing_branches;  // [first line] -> destinations never taken
  /// A branch of a line of which some branches were never taken.
  struct Branch {
    Arc arc;
    bool taken = false;
    std::string what;  // "jump to line 12"
  };
  std::map<int32_t, std::vector<Branch>> branches;  // [first line], of the lines of `missing_branches`
  std::map<int32_t, BranchCount> missing_counts;    // the same of an imported file, whose branches have no destinations
  /// State of a missing line or branch of a kernel, for the reason.
  struct KernelState {
    ProbeState state = ProbeState::NotHit;
    std::string why;
  };
  std::map<int32_t, KernelState>
      kernel_lines;  // [first line] of missing ones; empty when the data has no record of compiled code
  std::map<Arc, KernelState> kernel_branches;  // of missing_branches

  int32_t n_lines() const { return static_cast<int32_t>(lines.size()); }
  LineState state(int32_t line) const { return states[static_cast<size_t>(line) - 1]; }
  bool has_kernel_lines() const;
};

/// Fills the states and origins of every line of `text`, the result of read_source.
AnnotatedSource annotate(const std::string& text, const Analysis& analysis, const FileData& data,
                         const std::vector<std::string>& contexts);
/// Lines without states, for a file without data.
AnnotatedSource annotate_unmeasured(const std::string& text);

/// A range of consecutive statements, given by their first lines.
struct MissingRange {
  int32_t first = 0, last = 0;
  int32_t n_statements = 1;
};

/// Changed statements of a file that one arch can run, and the missing ones.
struct ArchLines {
  std::vector<int32_t> statements, missing;
  std::map<int32_t, std::vector<int32_t>> missing_branches;  // of the executed statements
  std::vector<int32_t> unknown;                              // executed statements with unknown branches; sorted

  int64_t total() const { return static_cast<int64_t>(statements.size()); }
  /// Number of covered statements. With `branches`, one of which a branch was never taken there is not covered.
  int64_t covered(bool branches) const;
  int64_t doubtful(bool branches) const;  // DiffFile::doubtful()
};

/// One changed file: of Python, or one that was imported.
struct DiffFile {
  std::string path;      // relative to the top of the working tree
  std::string old_path;  // path before a rename; else empty
  ChangeKind kind = ChangeKind::Modified;
  std::string not_measured;   // reason why there are no numbers; empty when there are
  bool is_ambiguous = false;  // in that case: the reason is a name in a report that fits other files, too
  SourceVersion version = SourceVersion::This;  // of the data
  std::vector<int32_t> changed;                 // new or changed physical lines
  std::vector<int32_t> removed_after;           // lines behind which a line was removed
  std::vector<int32_t> statements;              // first lines of the changed statements, without excluded ones
  std::vector<int32_t> missing;                 // those of them that were not executed
  std::map<int32_t, std::vector<int32_t>> missing_branches;  // of the changed statements that were executed
  std::map<int32_t, BranchCount> missing_counts;             // the same of an imported file
  int32_t n_branches = 0;                                    // of the changed statements
  int32_t n_missing_branches = 0;
  int32_t n_unknown_branches = 0;           // of the changed statements; not among n_branches
  std::vector<int32_t> unknown;             // changed statements that were executed, with some of these; sorted
  bool lacks_branches = false;              // its data has none, although the changed statements may branch
  int32_t unmeasured_statements = 0;        // changed statements of a file that is not measured
  std::vector<DecisionCoverage> decisions;  // of the changed statements, when conditions are asked for
  FileGradients gradients;                  // of the changed statements
  std::map<std::string, ArchLines> archs;   // in a measured file, by the names of DiffCoverage::archs
  std::vector<ArchGap> arch_gaps;           // changed statements of kernels that ran on one device and never on another
  std::vector<int32_t> lost;                // unchanged statements that were covered in the base report
  AnnotatedSource source;
  const FileData* data = nullptr;  // of a Python file; lives as long as the data

  bool measured() const { return not_measured.empty(); }
  int64_t total() const { return static_cast<int64_t>(statements.size()); }
  /// Number of covered statements. With `branches`, one of which a branch was never taken is not covered.
  int64_t covered(bool branches) const;
  /// Number of covered statements that would not be covered if no unknown branch was taken.
  int64_t doubtful(bool branches) const;
  /// Statements that are not covered.
  std::vector<int32_t> lacking(bool branches) const;
  /// Missing statements in ranges; a statement that is not missing ends a range, whether changed or not.
  std::vector<MissingRange> missing_ranges() const { return ranges(missing); }
  /// The same of other lines, sorted.
  std::vector<MissingRange> ranges(const std::vector<int32_t>& lines) const;
  /// The same for `lost`.
  std::vector<MissingRange> lost_ranges() const { return ranges(lost); }
  /// Gap of the statement that begins on a line: "covered on cpu, never on vulkan"; empty when there is none.
  std::string arch_gap_of(int32_t line) const;
  /// Lines as ranges: "4-7, 9".
  std::string formatted(const std::vector<int32_t>& lines) const;
  /// Missing lines, "4-7, 9", and, with `branches`, branches, "12->exit".
  std::string missing_formatted(bool branches) const;
};

/// Coverage of the change by one of several inputs.
struct InputCoverage {
  std::string name;
  int64_t total = 0;                                    // of all inputs together
  int64_t covered = 0;                                  // by this one
  std::map<std::string, std::vector<int32_t>> missing;  // [path], of the files that it measured
  std::vector<std::string> of_other_versions;           // files with data of another version in this input
};

struct DiffCoverage {
  std::string title;                              // "main...HEAD, staged and unstaged changes"
  std::string compare_branch, base_commit, head;  // empty when not known
  bool from_merge_base = true;                    // base_commit is the merge base of HEAD and compare_branch
  bool has_arcs = false;
  bool branches = false;                 // a line counts as covered only with its branches; branches are shown
  int64_t n_changed_lines = 0;           // of all files of the change, also those that are no source
  bool conditions = false;               // conditions are shown
  bool gradients = false;                // gradients are shown
  std::vector<DiffFile> files;           // measured, with changed statements; sorted by path
  std::vector<DiffFile> without_lines;   // measured, without changed statements
  std::vector<DiffFile> not_measured;    // Python files without numbers
  VersionNotes versions;                 // of the data of `files`, and of those in `not_measured` that have data
  std::optional<Numbers> overall;        // of all measured files, when the caller fills it in
  VersionNotes overall_versions;         // of the data of all of them
  std::vector<std::string> archs;        // measured_archs() of the data
  std::vector<InputCoverage> inputs;     // of DiffCoverageOptions::inputs
  std::optional<BaseCoverage> base;      // comparison with a base report, if there is one
  std::vector<DiffFile> lost_elsewhere;  // files that are not in `files` and have `lost`; sorted by path
  std::vector<std::string> notes;        // remarks for the reader about these numbers

  int64_t total() const;
  int64_t covered() const;
  int64_t missing() const { return total() - covered(); }
  int64_t doubtful() const;  // DiffFile::doubtful() of all files
  ConditionNumbers condition_numbers() const;
  GradientNumbers gradient_numbers() const;
  /// Whether a changed statement ran in a kernel.
  bool has_kernel_lines() const;
  /// Whether more than one device was measured, so that they can be compared.
  bool has_devices() const { return n_devices() > 1; }
  size_t n_devices() const;
  int64_t n_arch_gaps() const;  // statements
  bool has_lines() const { return total() > 0; }
};

/// Data of one of several inputs.
struct NamedData {
  std::string name;
  const CoverageData* data;
};

/// Input of a diff report beside the changes and the data.
struct DiffCoverageOptions {
  const Config& config;  // with the options of the command line
  int python_minor = kDefaultPythonMinor;
  /// Filter of files (absolute path; whether there is data of it); empty: all are reported.
  std::function<bool(const std::string& path, bool measured)> wanted = {};
  /// Whether settings omit a file, by its absolute path; absent: none.
  std::function<bool(const std::string& path)> omitted = {};
  std::vector<NamedData> inputs = {};  // inputs that are reported one by one as well; all of them together are the data
};

/// Joins changes with data. Paths of the data are absolute, or relative to the current folder. Throws NotPython,
/// NoSource.
DiffCoverage diff_coverage(const Changes& changes, const CoverageData& data, const DiffCoverageOptions& options);

/// Percentage from 0 to 100: "87.5" or "88"; "0" or "100" only when exact.
std::string percent(int64_t covered, int64_t total);

}  // namespace qd::report
