// Change options: diff-cover's, and some that diff-cover does not have.
#include "cli/options/change_options.h"

#include <fmt/format.h>

#include <initializer_list>

namespace qd::cli {

void add_change_options(CommandLine& line) {
  line.group("Change");
  line.add(
      "compare-branch",
      "Branch, tag or commit to compare with. In full, as refs/heads/main, where a name means several. Default: the "
      "branch origin/main, or main where there is no such branch.",
      kText, "BRANCH");
  line.add("base-sha", "Compare with this very commit, not with the merge base of a branch.", kText, "COMMIT");
  line.add(
      "diff-range-notation",
      "'...' compares with the merge base of the branch and HEAD, '..' with the tip of the branch. Default: '...'.",
      kText, "RANGE");
  line.choices("diff-range-notation", {"...", ".."});
  line.add("deepen", "In a shallow clone, fetch as much history as the merge base takes.");
  line.add("diff-file", "Take the changes from this unified diff, not from git; '-' is standard input.", kText, "FILE");
  line.add("ignore-staged", "Leave staged changes that are not committed out of the change.");
  line.add("ignore-unstaged", "Leave unstaged changes out of the change.");
  line.add("include-untracked", "Files that git does not track are part of the change.");
  line.add("ignore-whitespace", "A change of white space alone is no change.");
}

report::ChangeOptions change_options(const CommandLine& line, const report::DiffConfig& config) {
  report::ChangeOptions options;
  options.diff_file = line.text("diff-file") ? line.text("diff-file") : config.diff_file;
  options.base.base_sha = line.text("base-sha");
  options.base.compare_branch = line.text("compare-branch");
  if (!options.base.compare_branch) options.base.compare_branch = config.compare_branch;
  std::string range = line.text("diff-range-notation").value_or(config.diff_range_notation.value_or("..."));
  if (range != "..." && range != "..")
    throw UsageError(fmt::format("option --diff-range-notation: '{}' is neither '...' nor '..'", range));
  options.base.merge_base = range == "...";
  options.base.deepen = line.flag("deepen");
  options.include_untracked = config.include_untracked || line.flag("include-untracked");
  options.ignore_staged = config.ignore_staged || line.flag("ignore-staged");
  options.ignore_unstaged = config.ignore_unstaged || line.flag("ignore-unstaged");
  options.ignore_whitespace = config.ignore_whitespace || line.flag("ignore-whitespace");
  auto exclude = [&](const char* one, std::initializer_list<const char*> others) {
    if (!line.text(one)) return;
    for (const char* other : others)
      if (line.flag(other)) throw UsageError(fmt::format("option --{}: it can't be used with --{}", one, other));
  };
  exclude("diff-file", {"compare-branch", "base-sha", "diff-range-notation", "deepen", "ignore-staged",
                        "ignore-unstaged", "ignore-whitespace"});
  exclude("base-sha", {"compare-branch", "diff-range-notation"});
  return options;
}

}  // namespace qd::cli
