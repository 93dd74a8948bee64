// What a change must reach: thresholds on all of it, on its branches, on new files and on the files of a pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"
#include "report/gate/gate.h"

namespace qd::report {

/// What it means for the gates when changed source has no data.
enum class OnNoData : uint8_t { Fail, Warn, Pass };

/// "src/**=90": files of the change whose paths, from the top of the working tree, match. "qd:vulkan:src/**=90": what
/// ran of them on a device, of what can run there; "qd:vulkan=90": the same of all files.
struct PatternThreshold {
  std::string pattern;  // empty: all files
  std::string arch;     // empty: wherever it ran
  Threshold threshold;
  bool matches_nothing =
      false;  // no file of the change, of the repository or of the data: a mistake, and a gate that is missed
};

struct DiffGateOptions {
  std::optional<Threshold> fail_under;           // lines; when branches count, with all of theirs
  std::vector<PatternThreshold> patterns;        // the same, of some files
  std::optional<Threshold> fail_under_branches;  // branches alone
  std::optional<Threshold> fail_under_new_files;
  std::optional<Threshold> fail_under_total;  // of everything measured, not of the change: DiffCoverage::overall
  std::optional<int64_t> max_missing;         // statements, which branches may make missing
  int64_t minimum_change = 0;                 // with fewer lines the thresholds of the change are met
  bool fail_under_base = false;               // everything measured, against the base report
  std::optional<int64_t> max_lost;            // unchanged statements that were covered in the base report
  std::vector<std::string> require_archs;     // devices on which the lines of kernels run that run on any other
  bool require_hashes = false;                // the data of each changed file says that it is of the source at hand
  std::optional<OnNoData> on_no_data;         // none: Fail when there is any other gate

  /// Whether there is any gate besides that on missing data.
  bool any_threshold() const;
};

struct GateResult {
  std::string what;    // "Diff coverage"
  std::string wanted;  // "90%"; "5" of Missing
  bool reached = true;
  bool is_warning = false;  // not reached, and let pass
  std::string message;      // when it is not reached: one line that says by how much
};

/// GateResult::what of the gate that changed files without data miss.
inline constexpr const char* kDataGate = "Changed files without data";

/// The same of a base report that is not of the commit that it should be of, or of data that is not of the sources.
inline constexpr const char* kBaseGate = "Comparison with the base is not complete";

/// Notes which patterns match none of `paths` (from the top of the working tree). Throws ConfigError for a pattern that
/// is none.
void find_patterns(DiffGateOptions& options, const std::vector<std::string>& paths);

/// All gates that are asked for, in the order of the options, those that are reached too. Throws ConfigError for a
/// pattern that is none.
std::vector<GateResult> check_diff_gates(const DiffCoverage& coverage, const DiffGateOptions& options);

/// Whether all are reached, or were let pass.
bool all_reached(const std::vector<GateResult>& gates);

}  // namespace qd::report
