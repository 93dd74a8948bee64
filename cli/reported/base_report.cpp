// Base report. One pass over all measured files gives the total and the comparison.
#include "cli/reported/base_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/output/progress_bar.h"
#include "cli/python/plugins.h"
#include "report/analysis/unknown_branches.h"
#include "report/config/path_aliases.h"
#include "report/engine/render_files.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

/// Changes from the commit of the report to the working tree, with every line that was added or removed.
std::vector<report::ChangedFile> changes_since(const std::string& commit, const report::Changes& changes,
                                               const report::ChangeOptions& how) {
  if (commit == changes.base_commit && !how.ignore_whitespace && !how.diff_file) return changes.files;
  report::ChangeOptions options;
  options.folder = how.folder;
  options.base.base_sha = commit;
  options.base.deepen = how.base.deepen;
  options.ignore_whitespace = how.ignore_whitespace;
  options.keep_lines = true;
  return report::find_changes(options).files;
}

}  // namespace

void add_base_options(CommandLine& line) {
  line.add("base",
           "Compare with this full report of an earlier run of 'qd-cov json' or 'coverage json'. Coverage lost and "
           "gained is told, on unchanged lines too. It is taken to be of the commit that the changes are compared "
           "with, unless 'qd-cov json --record-commit' wrote it.",
           kText, "JSON");
}

std::optional<std::string> base_report_file(const CommandLine& line, const report::Config& config) {
  std::optional<std::string> path = line.text("base");
  if (path && path->empty()) throw UsageError("option --base: it names no file");
  return path ? path : config.diff.base;
}

std::unique_ptr<report::BaseComparison> open_base(const CommandLine& line, const report::Config& config,
                                                  const report::Changes& changes, const report::ChangeOptions& how,
                                                  const report::DiffCoverageOptions& options,
                                                  const DiffSelection& selection) {
  std::optional<std::string> path = base_report_file(line, config);
  if (!path) return nullptr;
  report::BaseInput input;
  input.name = *path;
  input.report = report::read_coverage_json(*path);
  if (!input.report.skipped.empty()) warn(input.report.skipped);
  input.commit = input.report.commit.empty() ? changes.base_commit : input.report.commit;
  if (input.commit.empty())
    throw UsageError(
        "option --base: with --diff-file the report must know its commit: make it with 'qd-cov json --record-commit'");
  input.root = changes.root;
  try {
    input.changes = changes_since(input.commit, changes, how);
  } catch (const report::GitError& error) {
    throw report::GitError(fmt::format("Can't compare with '{}': {}", *path, error.what()));
  }
  report::PathAliases aliases(config);
  fs::path folder = input.report.folder ? fs::path(changes.root) / *input.report.folder : fs::current_path();
  input.path_of = [&](std::string name) {
    bool other_system = name.find('\\') != std::string::npos && name.find('/') == std::string::npos;
    if (other_system && !fs::exists(folder / name)) std::replace(name.begin(), name.end(), '\\', '/');
    if (name.starts_with('/') && !config.paths.empty()) name = aliases.map(name);
    return (folder / name).lexically_normal().string();
  };
  input.wanted = [&](const std::string& file) { return selection.wanted(file, true); };
  return std::make_unique<report::BaseComparison>(std::move(input), options);
}

void add_overall(report::DiffCoverage& coverage, report::CoverageData& data, const report::Config& config,
                 int python_minor, report::BaseComparison* base) {
  struct Part {
    report::Numbers numbers;
    std::optional<report::BaseComparison::Compared> compared;
  };
  report::Numbers overall;
  report::UnknownBranches unknown;
  ProgressBar bar("Reporting", !config.diff.quiet, kPatience);
  try {
    find_plugin_files(data, config, {});
    const std::vector<report::ReportedFile> files = report::reported_files(data, config, {});
    coverage.overall_versions.ambiguous = report::unplaced_names(data, config);
    analyze_plugin_files(data, config, files, {.text = base != nullptr});
    size_t n = 0;
    report::render_files(
        files, data, config, python_minor,
        [&](report::AnalyzedFile&& analyzed) {
          Part part{analyzed.analysis.numbers, {}};
          if (base) part.compared = base->compare(analyzed.analysis, analyzed.text, *analyzed.data, data.contexts);
          return part;
        },
        [&](Part&& part) {
          overall += part.numbers;
          if (part.compared) base->add(std::move(*part.compared));
          bar.show(++n, files.size());
        },
        warn, {}, &coverage.overall_versions, &unknown);
    if (overall.n_files == 0) throw report::NoDataError("no file could be reported");
  } catch (const std::runtime_error& error) {
    coverage.notes.push_back(fmt::format("No overall coverage: {}", error.what()));
    return;
  }
  coverage.overall = overall;
  report::VersionNotes others = coverage.overall_versions;
  others.newer.clear();
  for (const std::string& note : others.notes()) coverage.notes.push_back(note);
  if (std::string note = unknown.note(); !note.empty())
    if (std::ranges::find(coverage.notes, note) == coverage.notes.end()) coverage.notes.push_back("Overall: " + note);
  if (base) base->finish(overall, data.has_branches(), coverage);
}

}  // namespace qd::cli
