// Diff gates: thresholds on a change as a whole, on its branches, on new files and on the files of a pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"
#include "report/gate/gate.h"

namespace qd::report {

/// Effect on the gates of changed source without data.
enum class OnNoData : uint8_t { Fail, Warn, Pass };

/// Threshold for some files of the change. "src/**=90": files whose paths, from the top of the working tree, match.
/// "qd:vulkan:src/**=90": the lines of these that can run on a device; "qd:vulkan=90": the same of all files.
struct PatternThreshold {
  std::string pattern;  // empty: all files
  std::string arch;     // empty: any arch
  Threshold threshold;
  bool matches_nothing = false;  // the pattern matches no file of the change, of the repository or of the data: a
                                 // mistake, so the gate fails
};

struct DiffGateOptions {
  std::optional<Threshold> fail_under;           // of lines; when branches count, with all of theirs
  std::vector<PatternThreshold> patterns;        // the same, for some files
  std::optional<Threshold> fail_under_branches;  // of branches alone
  std::optional<Threshold> fail_under_new_files;
  std::optional<Threshold> fail_under_total;  // of everything measured, not of the change: DiffCoverage::overall
  std::optional<int64_t> max_missing;         // statements, and those with missing branches
  int64_t minimum_change = 0;                 // below this number of lines the thresholds of the change are met
  bool fail_under_base = false;               // everything measured, against the base report
  std::optional<int64_t> max_lost;            // unchanged statements that were covered in the base report
  std::vector<std::string> require_archs;     // devices on which the lines of kernels run that run on any other
  bool branch_coverage = false;               // a line counts as covered only with its branches
  bool require_hashes = false;                // the data of each changed file has the hash of its present source
  std::optional<OnNoData> on_no_data;         // none: Fail when there is any other gate

  /// Whether there is any gate besides that on missing data.
  bool any_threshold() const;
};

struct GateResult {
  std::string what;    // name: "Diff coverage"
  std::string wanted;  // threshold: "90%"; "5" of Missing
  bool reached = true;
  bool is_warning = false;  // not reached, and let pass
  std::string message;      // when it is not reached: one line with the difference
};

/// Percentage of a share that does not reach a threshold, so that the text is below it too: 66.66% is "66.7", but
/// "66.6" where 66.7 is the threshold.
std::string percent_below(int64_t covered, int64_t total, const Threshold& threshold);

/// Name (GateResult::what) of the gate that changed files without data miss.
inline constexpr const char* kDataGate = "Changed files without data";

/// Name of the same gate for a base report of another commit, or of data that is not of the sources.
inline constexpr const char* kBaseGate = "Comparison with the base is not complete";

/// Marks the patterns that match none of `paths` (from the top of the working tree). Throws ConfigError for an invalid
/// pattern.
void find_patterns(DiffGateOptions& options, const std::vector<std::string>& paths);

/// Returns all gates that are asked for, in the order of the options, passed ones too. Throws ConfigError for an
/// invalid pattern.
std::vector<GateResult> check_diff_gates(const DiffCoverage& coverage, const DiffGateOptions& options);

/// Noun of the counted ones: "line", "lines".
struct Unit {
  const char* one;
  const char* many;
};

struct Count {
  int64_t covered = 0, total = 0;
  int64_t doubtful = 0;  // of `covered`: not covered if no unknown branch was taken
  int64_t unknown = 0;   // branches that are not in `total`
};

/// Gate of a covered share, which must be reached without any unknown branch, too. `subject` begins the message:
/// "Coverage is 66.7% < 67%: cover 1 of the 2 missing lines to pass."
GateResult share_gate(const std::string& what, const std::string& subject, Count count, const Threshold& threshold,
                      const Unit& unit = {"line", "lines"});

/// Whether all are reached, or were let pass.
bool all_reached(const std::vector<GateResult>& gates);

}  // namespace qd::report
