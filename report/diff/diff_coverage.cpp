// Diff coverage: joins all changed files with measured data.
#include "report/diff/diff_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "report/analysis/unknown_branches.h"
#include "report/data/in_order.h"
#include "report/diff/measured_changes.h"

namespace qd::report {
namespace {

constexpr size_t kMostNotes = 10;  // of a kind
constexpr size_t kMaxPathNotes = 3;

/// Adds the coverage of each of several inputs.
void add_inputs(const Measured& measured, DiffCoverage& result) {
  for (size_t i = 0; i < measured.of_inputs.size(); ++i) {
    const DiffFile& file = measured.of_inputs[i];
    InputCoverage& input = result.inputs[i];
    if (!is_trusted(file.version)) input.of_other_versions.push_back(file.path);
    if (!file.measured() || file.statements.empty()) continue;
    input.covered += file.covered(result.branches);
    input.missing[file.path] = file.missing;
  }
}

void sort_by_path(std::vector<DiffFile>& files) {
  std::sort(files.begin(), files.end(), [](const DiffFile& a, const DiffFile& b) { return a.path < b.path; });
}

/// Adds the first few of them: notes are part of every format, and the length of a pull request comment is limited.
/// `more` describes the rest.
void add_some(std::vector<std::string> some, const char* more, std::vector<std::string>& notes) {
  std::sort(some.begin(), some.end());
  const size_t shown = std::min(some.size(), kMostNotes);
  notes.insert(notes.end(), some.begin(), some.begin() + static_cast<ptrdiff_t>(shown));
  if (shown < some.size()) notes.push_back(fmt::format("{} {}.", some.size() - shown, more));
}

void note_other_versions(DiffCoverage& result) {
  for (InputCoverage& input : result.inputs) {
    if (input.of_other_versions.empty()) continue;
    std::sort(input.of_other_versions.begin(), input.of_other_versions.end());
    size_t more = input.of_other_versions.size() - 1;
    result.notes.push_back(fmt::format("The data of '{}' is of another version of '{}'{}: run its tests again.",
                                       input.name, input.of_other_versions[0],
                                       more == 0 ? "" : fmt::format(" and of {} more", more)));
  }
}

void note_unknown_branches(DiffCoverage& result) {
  UnknownBranches unknown;
  for (const DiffFile& file : result.files) {
    Numbers numbers;
    numbers.n_unknown_branches = file.n_unknown_branches;
    unknown.add(file.path, numbers);
  }
  if (unknown.n > 0) result.notes.push_back(unknown.note());
}

/// Number of changed lines, as diff-cover counts them. Files that patterns leave out do not count.
int64_t count_changed_lines(const Changes& changes, const DiffCoverageOptions& options) {
  int64_t n = 0;
  for (const ChangedFile& file : changes.files)
    if (!options.wanted || options.wanted(changes.root + "/" + file.path, true))
      n += static_cast<int64_t>(file.added.size());
  return n;
}

/// Notes in one line the files that may be source and are not part of the numbers.
void note_not_looked_at(const Changes& changes, const std::vector<std::string>& untracked,
                        const DiffCoverageOptions& options, DiffCoverage& result) {
  std::vector<std::string> notebooks, parts;
  for (const ChangedFile& file : changes.files)
    if (file.kind != ChangeKind::Deleted && is_notebook(file.path) &&
        (!options.wanted || options.wanted(changes.root + "/" + file.path, false)))
      notebooks.push_back(file.path);
  auto add = [&](const std::vector<std::string>& names, const char* one, const char* several) {
    if (!names.empty())
      parts.push_back(fmt::format("{} {} ({})", names.size(), names.size() == 1 ? one : several, some_names(names)));
  };
  add(untracked, "untracked file", "untracked files");
  add(notebooks, "changed notebook", "changed notebooks");
  add(changes.submodules, "changed submodule", "changed submodules");
  add(changes.repositories, "untracked repository", "untracked repositories");
  if (parts.empty()) return;
  std::string list = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) list += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  result.notes.push_back(fmt::format(
      "Not counted: {}{}", list, untracked.empty() ? "." : "; --include-untracked counts what git does not track."));
}

/// Notes the usual reason for missing data: it was measured in another checkout. There is one note for all files of a
/// language, when none of its files is here, and one for a file whose name the data has elsewhere.
void note_data_elsewhere(const std::string& root, MeasuredChanges& measuring, DiffCoverage& result) {
  constexpr const char* kHelp = "map its paths with [paths] in the configuration.";
  std::set<std::string> notes;
  for (const DiffFile& file : result.not_measured) {
    if (file.not_measured != kNoData) continue;
    const std::string* elsewhere = measuring.path_elsewhere(root + "/" + file.path);
    if (elsewhere == nullptr) continue;
    std::string note = fmt::format("The data has '{}', which may be '{}': {}", *elsewhere, file.path, kHelp);
    if (measuring.is_elsewhere(root + "/" + file.path)) {
      const std::string suffix = std::filesystem::path(file.path).extension().string();
      note = fmt::format("No {}file of the data is in this repository (the first is '{}'): {}",
                         measuring.any_here() && !suffix.empty() ? suffix + " " : "", *elsewhere, kHelp);
    }
    if (notes.size() < kMaxPathNotes && notes.insert(note).second) result.notes.push_back(std::move(note));
  }
}

}  // namespace

DiffCoverage diff_coverage(const Changes& changes, const CoverageData& data, const DiffCoverageOptions& options) {
  DiffCoverage result;
  result.title = changes.title;
  result.compare_branch = changes.compare_branch;
  result.base_commit = changes.base_commit;
  result.from_merge_base = changes.from_merge_base;
  result.head = changes.head;
  result.has_arcs = data.has_branches();
  result.conditions = options.config.conditions;
  result.gradients = options.config.gradients;
  result.branches = options.config.diff.branch_coverage && result.has_arcs;
  if (options.config.diff.branch_coverage && !result.has_arcs)
    result.notes.push_back("The data has no branches: only lines are counted.");
  result.notes.insert(result.notes.end(), changes.notes.begin(), changes.notes.end());
  result.n_changed_lines = count_changed_lines(changes, options);
  for (const NamedData& input : options.inputs) result.inputs.push_back({input.name, 0, 0, {}, {}});

  MeasuredChanges measuring(data, changes.root, options);
  result.archs = measuring.archs();
  const std::vector<Candidate> candidates = measuring.candidates(changes);
  std::vector<std::string> kernel_notes, stale;
  std::set<std::string> report_notes;
  in_order(
      candidates.size(), [&](size_t i) { return measuring.measure(candidates[i]); },
      [&](size_t, Measured&& measured) {
        if (measured.counts_elsewhere) return;
        add_inputs(measured, result);
        if (measured.without_code) return;
        DiffFile& file = measured.file;
        kernel_notes.insert(kernel_notes.end(), measured.notes.kernels.begin(), measured.notes.kernels.end());
        report_notes.insert(measured.notes.reports.begin(), measured.notes.reports.end());
        if (measured.notes.stale_conditions) stale.push_back(file.path);
        bool no_lines = file.measured()
                            ? file.statements.empty()
                            : (file.not_measured == kNoData || file.is_ambiguous || !is_trusted(file.version)) &&
                                  file.unmeasured_statements == 0;
        auto& list = no_lines ? result.without_lines : file.measured() ? result.files : result.not_measured;
        list.push_back(std::move(file));
      });
  sort_by_path(result.files);
  sort_by_path(result.without_lines);
  sort_by_path(result.not_measured);
  for (InputCoverage& input : result.inputs) input.total = result.total();
  for (const DiffFile& file : result.files) result.versions.add(file.path, file.version);
  if (std::vector<std::string> notes = result.versions.notes(); !notes.empty()) result.notes.push_back(notes[0]);
  for (const DiffFile& file : result.not_measured)
    if (!is_trusted(file.version)) result.versions.add(file.path, file.version);
  note_unknown_branches(result);
  note_other_versions(result);
  if (const std::vector<std::string>& unnamed = measuring.unnamed(); !unnamed.empty())
    result.notes.push_back(fmt::format("{} {} in no report, nor is any other file of the folder: {} not counted.",
                                       first_of(unnamed), unnamed.size() == 1 ? "is" : "are",
                                       unnamed.size() == 1 ? "it is" : "they are"));
  note_data_elsewhere(changes.root, measuring, result);
  note_not_looked_at(changes, measuring.untracked_sources(changes), options, result);
  add_some(std::move(kernel_notes),
           "more notes of kernel lines that were not measured or not compiled: see 'qd-cov report --kernel-states'",
           result.notes);
  add_some({report_notes.begin(), report_notes.end()}, "more notes of names and exclusions in reports of other tools",
           result.notes);
  for (const std::string& path : stale)
    result.notes.push_back(fmt::format(
        "Conditions of '{}' were recorded for another version of it: after a change, run the tests again.", path));
  return result;
}

}  // namespace qd::report
