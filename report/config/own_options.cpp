// Table of our own settings.
#include "report/config/own_options.h"

#include <algorithm>

#include "report/config/coverage_version.h"

namespace qd::report {

namespace {

using enum OwnKind;
using Role = OwnRole;
using Path = OwnPath;
using Values = const StringList&;

bool is_true(Values values) { return values[0] == "true"; }

void set_version(Config& config, Values values) {
  config.coverage_version = values[0];
  match_version(config, values[0]);
}

// clang-format off
constexpr OwnOption kOwnOptions[] = {
    {"", "conditions", Flag, [](Config& c, Values v) { c.conditions = is_true(v); }},
    {"", "fail_under_conditions", Number, [](Config& c, Values v) { c.gates.fail_under_conditions = v[0]; }, Role::Least},
    {"", "fail_under_mcdc", Number, [](Config& c, Values v) { c.gates.fail_under_mcdc = v[0]; }, Role::Least},
    {"", "gradients", Flag, [](Config& c, Values v) { c.gradients = is_true(v); }},
    {"", "fail_under_gradients", Number, [](Config& c, Values v) { c.gates.fail_under_gradients = v[0]; }, Role::Least},
    {"", "inputs", List, [](Config& c, Values v) { c.inputs = v; }, Role::Loosening, Path::NamedFile},
    {"", "src_roots", Texts, [](Config& c, Values v) { c.src_roots = v; }, Role::Loosening, Path::File},
    {"", "producers", Texts, [](Config& c, Values v) { c.producers = v; }},
    {"", "kernel_decorators", Texts, [](Config& c, Values v) { c.kernel_decorators = v; }},
    {"", "func_decorators", Texts, [](Config& c, Values v) { c.func_decorators = v; }},
    {"", "exclude_throw_branches", Flag, [](Config& c, Values v) { c.exclusions.throw_branches = is_true(v); }, Role::Loosening},
    {"", "by_arch", Flag, [](Config& c, Values v) { c.by_arch = is_true(v); }},
    {"", "trend", Text, [](Config& c, Values v) { c.trend = v[0]; }, Role::None, Path::File},
    {"", "record_commit", Flag, [](Config& c, Values v) { c.record_commit = is_true(v); }},
    {"", "require_hashes", Flag, [](Config& c, Values v) { c.gates.require_hashes = is_true(v); }, Role::Wanted},
    {"", "mixed", Flag, [](Config& c, Values v) { c.mixed = is_true(v); }},
    {"", "cache", Flag, [](Config& c, Values v) { c.cache = is_true(v); }},
    {"", "coverage_version", Text, set_version},
    {"diff", "compare_branch", Text, [](Config& c, Values v) { c.diff.compare_branch = v[0]; }, Role::Compared},
    {"diff", "diff_range_notation", Text, [](Config& c, Values v) { c.diff.diff_range_notation = v[0]; }, Role::Compared},
    {"diff", "fail_under", Numbers, [](Config& c, Values v) { c.diff.fail_under = v; }, Role::Shares},
    {"diff", "fail_under_branches", Number, [](Config& c, Values v) { c.diff.fail_under_branches = v[0]; }, Role::Least},
    {"diff", "fail_under_new_files", Number, [](Config& c, Values v) { c.diff.fail_under_new_files = v[0]; }, Role::Least},
    {"diff", "fail_under_total", Number, [](Config& c, Values v) { c.diff.fail_under_total = v[0]; }, Role::Least},
    {"diff", "max_missing", Number, [](Config& c, Values v) { c.diff.max_missing = v[0]; }, Role::Most},
    {"diff", "base", Text, [](Config& c, Values v) { c.diff.base = v[0]; }, Role::Compared, Path::File},
    {"diff", "fail_under_base", Flag, [](Config& c, Values v) { c.diff.fail_under_base = is_true(v); }, Role::Wanted},
    {"diff", "max_lost", Number, [](Config& c, Values v) { c.diff.max_lost = v[0]; }, Role::Most},
    {"diff", "require_hashes", Flag, [](Config& c, Values v) { c.diff.require_hashes = is_true(v); }, Role::Wanted},
    {"diff", "require_archs", Texts, [](Config& c, Values v) { c.diff.require_archs = v; }, Role::Wanted},
    {"diff", "on_no_data", Text, [](Config& c, Values v) { c.diff.on_no_data = v[0]; }, Role::NoData},
    {"diff", "format", Texts, [](Config& c, Values v) { c.diff.format = v; }, Role::None, Path::Format},
    {"diff", "branch_coverage", Flag, [](Config& c, Values v) { c.diff.branch_coverage = is_true(v); }, Role::Wanted},
    {"diff", "changed_lines", Text, [](Config& c, Values v) { c.diff.changed_lines = v[0]; }, Role::Lines},
    {"diff", "expand_coverage_report", Flag, [](Config& c, Values v) { c.diff.expand_coverage_report = is_true(v); }},
    {"diff", "include_untracked", Flag, [](Config& c, Values v) { c.diff.include_untracked = is_true(v); }, Role::Wanted},
    {"diff", "ignore_staged", Flag, [](Config& c, Values v) { c.diff.ignore_staged = is_true(v); }, Role::Loosening},
    {"diff", "ignore_unstaged", Flag, [](Config& c, Values v) { c.diff.ignore_unstaged = is_true(v); }, Role::Loosening},
    {"diff", "ignore_whitespace", Flag, [](Config& c, Values v) { c.diff.ignore_whitespace = is_true(v); }, Role::Loosening},
    {"diff", "minimum_change", Number, [](Config& c, Values v) { c.diff.minimum_change = v[0]; }, Role::Loosening},
    {"diff", "diff_file", Text, [](Config& c, Values v) { c.diff.diff_file = v[0]; }, Role::Compared, Path::File},
    {"diff", "include", Texts, [](Config& c, Values v) { c.diff.include = v; }, Role::Narrowing, Path::Pattern},
    {"diff", "exclude", Texts, [](Config& c, Values v) { c.diff.exclude = v; }, Role::Loosening, Path::Pattern},
    {"diff", "show_uncovered", Flag, [](Config& c, Values v) { c.diff.show_uncovered = is_true(v); }},
    {"diff", "quiet", Flag, [](Config& c, Values v) { c.diff.quiet = is_true(v); }},
    {"diff", "src_roots", Texts, [](Config& c, Values v) { c.src_roots = v; }, Role::Loosening, Path::File},
    {"diff", "total_percent_float", Flag, [](Config& c, Values v) { c.diff.total_percent_float = is_true(v); }},
};
// clang-format on

}  // namespace

std::span<const OwnOption> own_options() { return kOwnOptions; }

const OwnOption* find_own_option(const std::string& section, const std::string& name) {
  const OwnOption* found = std::find_if(std::begin(kOwnOptions), std::end(kOwnOptions), [&](const OwnOption& option) {
    return section == option.section && name == option.name;
  });
  return found == std::end(kOwnOptions) ? nullptr : found;
}

}  // namespace qd::report
