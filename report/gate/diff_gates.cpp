// Diff gates: each compares the covered share of its lines with a threshold, as exact fractions.
#include "report/gate/diff_gates.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/config/glob_matcher.h"
#include "report/data/producers.h"

namespace qd::report {
namespace {

constexpr Unit kLines{"line", "lines"}, kBranches{"branch", "branches"}, kBoth{"line or branch", "lines and branches"};

/// "1 of the 2 missing lines", "the 2 missing lines".
std::string part_of(int64_t lack, int64_t missing, const Unit& unit) {
  return fmt::format("{}the {} missing {}", lack == missing ? "" : fmt::format("{} of ", lack), missing,
                     missing == 1 ? unit.one : unit.many);
}

/// "Coverage is 66.7% < 67%: cover 1 of the 2 missing lines to pass."
std::string below_message(const std::string& subject, Count count, const Threshold& threshold, const Unit& unit) {
  return fmt::format("{} is {}% < {}%: cover {} to pass.", subject,
                     percent_below(count.covered, count.total, threshold), threshold.text,
                     part_of(lacking(count.covered, count.total, threshold), count.total - count.covered, unit));
}

/// Name of a gate as it was given: "qd:vulkan:src/**".
std::string gate_name(const PatternThreshold& one) {
  if (one.arch.empty()) return one.pattern;
  const std::string device = one.arch.find(':') == std::string::npos ? kernel_context("", one.arch) : one.arch;
  return one.pattern.empty() ? device : fmt::format("{}:{}", device, one.pattern);
}

/// Whether data has an arch. In data without devices everything is the host's.
bool is_measured(const DiffCoverage& coverage, const std::string& arch) {
  return coverage.archs.empty() ? arch == kHostArch : std::ranges::find(coverage.archs, arch) != coverage.archs.end();
}

std::string nothing_on(const DiffCoverage& coverage, const std::string& arch, const std::string& option) {
  return fmt::format("Nothing was measured on '{}', which {} asks for: the data has {}.", arch, option,
                     coverage.archs.empty() ? kHostArch : fmt::format("{}", fmt::join(coverage.archs, ", ")));
}

/// Counts on an arch; empty: on any.
Count count_on(const DiffFile& file, const std::string& arch, bool branches) {
  auto found = file.archs.find(arch);
  if (found != file.archs.end())
    return {found->second.covered(branches), found->second.total(), found->second.doubtful(branches)};
  const bool all = arch.empty() || (file.archs.empty() && arch == kHostArch);
  return all ? Count{file.covered(branches), file.total(), file.doubtful(branches)} : Count();
}

/// Gate of --require-archs: lines of kernels that ran on any device have to run on this one.
GateResult arch_gate(const DiffCoverage& coverage, const std::string& arch) {
  GateResult result{"Lines never on " + arch, "0", true, false, ""};
  if (!is_measured(coverage, arch)) {
    result.reached = false;
    result.message = nothing_on(coverage, arch, "--require-archs");
    return result;
  }
  std::vector<std::string> places;
  size_t n = 0;
  for (const DiffFile& file : coverage.files)
    for (const ArchGap& gap : file.arch_gaps) {
      if (std::ranges::find(gap.never, arch) == gap.never.end()) continue;
      n += gap.lines.size();
      places.push_back(
          fmt::format("'{}' ({}, covered on {})", file.path, file.formatted(gap.lines), fmt::join(gap.on, ", ")));
    }
  result.reached = n == 0;
  if (n > 0)
    result.message = fmt::format("{} of kernels never ran on {}, which --require-archs asks for, the first in {}.",
                                 n == 1 ? "1 changed line" : fmt::format("{} changed lines", n), arch, places.front());
  return result;
}

template <typename Wanted>
Count count_files(const DiffCoverage& coverage, const Wanted& wanted, const std::string& arch = "") {
  Count count;
  for (const DiffFile& file : coverage.files) {
    if (!wanted(file)) continue;
    const Count its = count_on(file, arch, coverage.branches);
    count.covered += its.covered;
    count.total += its.total;
    count.doubtful += its.doubtful;
  }
  return count;
}

/// Reason why a pattern's gate cannot be compared; empty when it can.
std::string why_unknown(const DiffCoverage& coverage, const PatternThreshold& one) {
  if (!one.arch.empty() && !is_measured(coverage, one.arch))
    return nothing_on(coverage, one.arch, fmt::format("--fail-under '{}'", gate_name(one)));
  if (!one.matches_nothing) return "";
  return fmt::format("No file matches '{}', the pattern of --fail-under: neither one of the change nor any other.",
                     one.pattern);
}

GateResult pattern_gate(const DiffCoverage& coverage, const PatternThreshold& one) {
  GlobMatcher matcher({one.pattern});
  std::string subject = one.pattern.empty() ? "Coverage" : fmt::format("Coverage of '{}'", one.pattern);
  if (!one.arch.empty()) subject += " on " + one.arch;
  auto wanted = [&](const DiffFile& file) { return one.pattern.empty() || matcher.match(file.path); };
  return share_gate(gate_name(one), subject, count_files(coverage, wanted, one.arch), one.threshold);
}

GateResult branch_gate(const DiffCoverage& coverage, const Threshold& threshold) {
  if (!coverage.has_arcs)
    return {"Branches", threshold.text + "%", false, false,
            "Branch coverage is not known: the data has no branches; run the tests with --branch."};
  Count count;
  for (const DiffFile& file : coverage.files) {
    count.total += file.n_branches;
    count.covered += file.n_branches - file.n_missing_branches;
    count.unknown += file.n_unknown_branches;
  }
  return share_gate("Branches", "Branch coverage", count, threshold, kBranches);
}

/// Message about a total with data of other versions of the sources; empty when there is none, or `any_data` counts.
std::string untrusted_total(const DiffCoverage& coverage, bool any_data) {
  const std::string why = any_data ? "" : coverage.overall_versions.untrusted_files();
  return why.empty() ? "" : fmt::format("Total coverage is not known: {}.", why);
}

GateResult total_gate(const DiffCoverage& coverage, const Threshold& threshold, bool any_data) {
  if (std::string why = untrusted_total(coverage, any_data); !why.empty())
    return {"Total", threshold.text + "%", false, false, why};
  if (!coverage.overall)
    return {"Total", threshold.text + "%", false, false, "Total coverage is not known: see the notes of the report."};
  const Numbers& n = *coverage.overall;
  return share_gate("Total", "Total coverage",
                    {int64_t{n.n_executed()} + n.n_executed_branches(), int64_t{n.n_statements} + n.n_branches, 0,
                     n.n_unknown_branches},
                    threshold, n.n_branches > 0 ? kBoth : kLines);
}

GateResult missing_gate(const DiffCoverage& coverage, int64_t most) {
  GateResult result{"Missing", fmt::format("{}", most), coverage.missing() <= most, false, ""};
  if (result.reached && coverage.missing() + coverage.doubtful() > most) {
    result.reached = false;
    result.message = fmt::format("Missing lines are not known: {} or more, {} if no unknown branch was taken.",
                                 coverage.missing(), coverage.missing() + coverage.doubtful());
  } else if (!result.reached)
    result.message = fmt::format("{} missing, which is {} more than the {} that --max-missing allows.",
                                 coverage.missing() == 1 ? "1 is" : fmt::format("{} are", coverage.missing()),
                                 coverage.missing() - most, most);
  return result;
}

/// Compares by cross multiplication; products of line counts fit in 64 bits.
GateResult total_of_base_gate(const DiffCoverage& coverage, bool any_data) {
  const BaseCoverage& base = *coverage.base;
  int64_t before = base.covered(base.before), of = base.total(base.before), now = base.covered(base.now),
          total = base.total(base.now);
  GateResult result{"Total (base)", percent(before, of) + "%", of == 0 ? now == total : now * of >= before * total,
                    false, ""};
  if (std::string why = untrusted_total(coverage, any_data); !why.empty()) {
    result.reached = false;
    result.message = why;
    return result;
  }
  const int64_t most = total + (base.branches ? base.now.n_unknown_branches : 0);
  if (result.reached && most > total && (of == 0 || now * of < before * most)) {
    result.reached = false;
    result.message =
        fmt::format("Total coverage is not known: {}% or less, {}% < {}% of {} if no unknown branch was taken.",
                    percent(now, total), percent_down(now, most, 1), percent(before, of), base.name);
    return result;
  }
  if (result.reached) return result;
  int64_t lack = (of == 0 ? total : (before * total + of - 1) / of) - now;
  std::string is = percent(now, total), was = percent(before, of);
  for (int decimals = 2; is == was && decimals < 10; ++decimals) {
    is = percent_down(now, total, decimals);
    was = percent_down(before, of, decimals);
  }
  result.message =
      fmt::format("Total coverage is {}% ({} of {}) < {}% ({} of {}) of {}: cover {} to pass.", is, now, total, was,
                  before, of, base.name, part_of(lack, total - now, base.branches ? kBoth : kLines));
  return result;
}

GateResult lost_gate(const BaseCoverage& base, int64_t most) {
  int64_t lost = base.lost();
  GateResult result{"Lost", fmt::format("{}", most), lost <= most, false, ""};
  if (!result.reached) {
    auto file = std::find_if(base.files.begin(), base.files.end(),
                             [](const BaseFile& one) { return !one.of(Category::LBC).empty(); });
    result.message =
        fmt::format("{} lost {} coverage, the first in '{}' ({}), which is {} more than the {} that --max-lost allows.",
                    lost == 1 ? "1 unchanged line" : fmt::format("{} unchanged lines", lost),
                    lost == 1 ? "its" : "their", file->path, file->lost_text, lost - most, most);
  }
  return result;
}

/// A gate that could not be compared has not passed.
GateResult unknown_gate(const char* what, const std::string& wanted) {
  return {what, wanted, false, false, "The base report could not be compared: see the notes of the report."};
}

GateResult base_gate(const BaseCoverage& base, OnNoData on_no_data) {
  const auto& [path, why] = *base.left_out.begin();
  GateResult result{kBaseGate, "", false, on_no_data == OnNoData::Warn, ""};
  result.message = fmt::format(
      "The comparison with {} at commit {} is not complete: {} {} left out, the first is '{}': {}.", base.name,
      base.commit.substr(0, 10), base.left_out.size(), base.left_out.size() == 1 ? "file is" : "files are", path, why);
  return result;
}

GateResult data_gate(const DiffCoverage& coverage, OnNoData on_no_data) {
  GateResult result{kDataGate, "", false, on_no_data == OnNoData::Warn, ""};
  result.message = fmt::format("{} changed {} not measured, the first is '{}': {}.", coverage.not_measured.size(),
                               coverage.not_measured.size() == 1 ? "file is" : "files are",
                               coverage.not_measured[0].path, coverage.not_measured[0].not_measured);
  return result;
}

/// Files whose branches are not known, where branches count.
std::optional<GateResult> branch_data_gate(const DiffCoverage& coverage, OnNoData on_no_data) {
  std::vector<std::string> files;
  for (const DiffFile& file : coverage.files)
    if (file.lacks_branches) files.push_back(file.path);
  if (files.empty() || on_no_data == OnNoData::Pass) return std::nullopt;
  return GateResult{
      "Branch data", "", false, on_no_data == OnNoData::Warn,
      fmt::format("Branch coverage is not known: the data has no branches of {}; measure {} with branches.",
                  first_of(files), files.size() == 1 ? "it" : "them")};
}

GateResult hashes_gate(const DiffCoverage& coverage, bool of_all) {
  std::string why = coverage.versions.without_hashes();
  if (why.empty() && of_all) why = coverage.overall_versions.without_hashes();
  return {"Hashes", "", why.empty(), false, why};
}

}  // namespace

std::string percent_below(int64_t covered, int64_t total, const Threshold& threshold) {
  std::string is = percent(covered, total);
  const std::optional<Threshold> rounded = parse_threshold(is);
  if (!rounded || rounded->numerator * threshold.denominator < threshold.numerator * rounded->denominator) return is;
  int decimals = 0;
  for (int64_t unit = threshold.denominator; unit > 1; unit /= 10) ++decimals;
  return percent_down(covered, total, decimals);
}

GateResult share_gate(const std::string& what, const std::string& subject, Count count, const Threshold& threshold,
                      const Unit& unit) {
  GateResult result{what, threshold.text + "%", reaches(count.covered, count.total, threshold), false, ""};
  if (!result.reached) {
    result.message = below_message(subject, count, threshold, unit);
    return result;
  }
  const Count lowest{count.covered - count.doubtful, count.total + count.unknown};
  if (result.reached = reaches(lowest.covered, lowest.total, threshold); !result.reached)
    result.message =
        fmt::format("{} is not known: {}% or less, {}% < {}% if no unknown branch was taken.", subject,
                    percent(count.covered, count.total), percent_down(lowest.covered, lowest.total, 1), threshold.text);
  return result;
}

bool DiffGateOptions::any_threshold() const {
  return fail_under || !patterns.empty() || fail_under_branches || fail_under_new_files || fail_under_total ||
         max_missing || fail_under_base || max_lost || require_hashes || !require_archs.empty();
}

void find_patterns(DiffGateOptions& options, const std::vector<std::string>& paths) {
  for (PatternThreshold& one : options.patterns) {
    if (one.pattern.empty()) continue;
    GlobMatcher matcher({one.pattern});
    one.matches_nothing =
        std::none_of(paths.begin(), paths.end(), [&](const std::string& path) { return matcher.match(path); });
  }
}

std::vector<GateResult> check_diff_gates(const DiffCoverage& coverage, const DiffGateOptions& options) {
  std::vector<GateResult> results, unknown_patterns;
  if (options.fail_under)
    results.push_back(share_gate("Diff coverage", "Coverage",
                                 {coverage.covered(), coverage.total(), coverage.doubtful()}, *options.fail_under));
  for (const PatternThreshold& one : options.patterns) {
    if (std::string why = why_unknown(coverage, one); !why.empty())
      unknown_patterns.push_back({gate_name(one), one.threshold.text + "%", false, false, std::move(why)});
    else
      results.push_back(pattern_gate(coverage, one));
  }
  if (options.fail_under_branches) results.push_back(branch_gate(coverage, *options.fail_under_branches));
  if (options.fail_under_new_files) {
    auto is_new = [](const DiffFile& file) {
      return file.kind == ChangeKind::Added || file.kind == ChangeKind::Untracked;
    };
    results.push_back(
        share_gate("New files", "Coverage of new files", count_files(coverage, is_new), *options.fail_under_new_files));
  }
  if (coverage.total() < options.minimum_change)
    for (GateResult& result : results) result.reached = true;
  results.insert(results.end(), unknown_patterns.begin(),
                 unknown_patterns.end());  // a misspelt pattern is not excused by a small change
  const OnNoData on_no_data = options.on_no_data.value_or(options.any_threshold() ? OnNoData::Fail : OnNoData::Pass);
  const bool any_data = on_no_data != OnNoData::Fail;
  if (options.fail_under_total) results.push_back(total_gate(coverage, *options.fail_under_total, any_data));
  if (options.max_missing) results.push_back(missing_gate(coverage, *options.max_missing));
  if (options.fail_under_base)
    results.push_back(coverage.base ? total_of_base_gate(coverage, any_data)
                                    : unknown_gate("Total (base)", "that of the base"));
  if (options.max_lost)
    results.push_back(coverage.base ? lost_gate(*coverage.base, *options.max_lost)
                                    : unknown_gate("Lost", fmt::format("{}", *options.max_lost)));
  for (const std::string& arch : options.require_archs) results.push_back(arch_gate(coverage, arch));
  if (options.require_hashes)
    results.push_back(hashes_gate(coverage, options.fail_under_total || options.fail_under_base));
  if (on_no_data != OnNoData::Pass && !coverage.not_measured.empty())
    results.push_back(data_gate(coverage, on_no_data));
  const bool known = coverage.has_arcs || !options.fail_under_branches;  // else branch_gate() has said so
  if (known && (options.fail_under_branches || (options.branch_coverage && options.any_threshold())))
    if (std::optional<GateResult> gate = branch_data_gate(coverage, on_no_data)) results.push_back(*std::move(gate));
  bool uses_base = options.fail_under_base || options.max_lost;
  if (uses_base && on_no_data != OnNoData::Pass && coverage.base && !coverage.base->left_out.empty())
    results.push_back(base_gate(*coverage.base, on_no_data));
  return results;
}

bool all_reached(const std::vector<GateResult>& gates) {
  return std::all_of(gates.begin(), gates.end(),
                     [](const GateResult& gate) { return gate.reached || gate.is_warning; });
}

}  // namespace qd::report
