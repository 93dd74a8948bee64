// Joins all changed files with what was measured.
#include "report/diff/diff_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "report/data/file_content.h"
#include "report/data/in_order.h"
#include "report/diff/imported_version.h"
#include "report/diff/measure_file.h"
#include "report/diff/reported_sources.h"
#include "report/diff/tree_diff.h"

namespace qd::report {
namespace {

constexpr size_t kMostNotes = 10;  // of a kind
constexpr size_t kMaxPathNotes = 3;

/// A file to be measured.
struct Candidate {
  const ChangedFile* change;
  std::string path;       // absolute
  std::string canonical;  // the same without links
  bool in_data;
  const LinkedFile* link = nullptr;     // by which the file is reached, if it is by one
  const ChangedFile* target = nullptr;  // the change of what the link leads to, by its own name
};

/// The result of measuring a file.
struct Measured {
  DiffFile file;
  FileNotes notes;
  bool without_code = false;        // in the changed lines of a file of another language, as far as can be seen
  bool counts_elsewhere = false;    // by the file's own name: a link leads to it
  std::vector<DiffFile> of_inputs;  // what each of the inputs says, without sources
};

DiffFile unmeasured_file(const ChangedFile& change) {
  DiffFile file;
  file.path = change.path;
  file.old_path = change.old_path;
  file.kind = change.kind;
  file.changed = change.added;
  file.removed_after = change.removed_after;
  return file;
}

/// The numbers of all lines, as git counts them.
std::vector<int32_t> all_lines(const std::string& text) {
  auto n = std::count(text.begin(), text.end(), '\n');
  if (!text.empty() && text.back() != '\n') ++n;
  std::vector<int32_t> lines(static_cast<size_t>(n));
  std::iota(lines.begin(), lines.end(), 1);
  return lines;
}

/// A program without a suffix that asks for Python in its first line.
bool is_python_script(const std::string& path) {
  if (std::filesystem::path(path).has_extension()) return false;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream in(path, std::ios::binary);
  std::string line(200, '\0');
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<size_t>(in.gcount()));
  return line.starts_with("#!") && line.substr(0, line.find('\n')).find("python") != std::string::npos;
}

bool is_notebook(const std::string& path) { return path.ends_with(".ipynb"); }

/// Measures changed files, several at once.
class Measuring {
 public:
  Measuring(const CoverageData& data, const std::string& root, const DiffCoverageOptions& options)
      : options_(options), all_(data, options, canonical_), sources_(data, root, canonical_) {
    for (const NamedData& input : options.inputs) inputs_.emplace_back(*input.data, options, canonical_);
  }

  /// Sources that are in the folder but not part of the change, because git does not track them.
  std::vector<std::string> untracked_sources(const Changes& changes) {
    std::vector<std::string> result;
    for (const std::string& name : changes.untracked) {
      std::string path = changes.root + "/" + name;
      bool in_data = paths().find(canonical_(path)) != nullptr;
      if (!in_data && !is_python_name(name) && !is_notebook(name) && !is_python_script(path)) continue;
      if (!options_.wanted || options_.wanted(path, in_data)) result.push_back(name);
    }
    return result;
  }

  const DataPaths& paths() const { return all_.paths(); }
  const std::vector<std::string>& archs() const { return all_.archs(); }
  /// Files in a language that reports have, in folders of which the reports have no file.
  const std::vector<std::string>& unnamed() const { return unnamed_; }

  /// The path that the data may have for a file without data, and whether no file of its language is here; null where
  /// there is none.
  const std::string* path_elsewhere(const std::string& path) { return sources_.path_elsewhere(canonical_(path)); }
  bool any_here() const { return sources_.any_here(); }
  bool is_elsewhere(const std::string& path) { return sources_.is_elsewhere(canonical_(path)); }

  /// In git's order.
  std::vector<Candidate> candidates(const Changes& changes) {
    std::vector<Candidate> result;
    for (const ChangedFile& change : changes.files) {
      if (change.kind == ChangeKind::Deleted || !change.is_regular) continue;
      std::string path = changes.root + "/" + change.path;
      std::string its_canonical = canonical_(path);
      bool in_data = paths().find(its_canonical) != nullptr || paths().ambiguous(its_canonical) != nullptr;
      const bool is_python = is_python_name(change.path) || (!in_data && is_python_script(path));
      const bool expected = in_data || (!is_python && sources_.expects(its_canonical));
      if (!is_python && !expected) {
        if (sources_.knows_language(its_canonical) && (!options_.wanted || options_.wanted(path, true)))
          unnamed_.push_back(change.path);
        continue;
      }
      if (options_.wanted && !options_.wanted(path, expected)) continue;
      result.push_back({&change, std::move(path), std::move(its_canonical), in_data});
    }
    add_linked(changes, result);
    return result;
  }

  Measured measure(const Candidate& candidate) const {
    Measured result;
    result.file = unmeasured_file(*candidate.change);
    if (candidate.link && !candidate.link->unknown.empty()) {
      result.file.not_measured = candidate.link->unknown;
      return result;
    }
    std::optional<std::string> bytes = read_bytes(candidate.path);
    if (!bytes) {
      // git may know of a change in a file that is not here: a sparse checkout.
      if (candidate.in_data && !candidate.link && !options_.ignore_errors)
        throw NoSource(fmt::format("No source for code: '{}'.", candidate.path));
      result.file.not_measured = "not in the working tree, or not readable";
      return result;
    }
    const bool by_link = candidate.link != nullptr;
    if (candidate.change->is_binary || (by_link && !is_python_name(candidate.path) && looks_binary(*bytes))) {
      result.file.not_measured = "git shows no lines of it: it is a binary file";
      return result;
    }
    if (by_link) result.file.changed = all_lines(*bytes);
    translate_lines(*bytes, result.file);
    const DiffFile fresh = result.file;
    ChangedSource source = all_.read(result.file, candidate.canonical, *bytes);
    source.by_link = by_link;
    result.notes = all_.measure(result.file, candidate.canonical, *bytes, source);
    DiffFile& file = result.file;
    if (!candidate.in_data && has_braces(file.path) && file.unmeasured_statements == 0 &&
        sources_.is_elsewhere(candidate.canonical))  // not one declaration is known to be in no report
      file.unmeasured_statements =
          static_cast<int32_t>(changed_code_lines(source.text, file.changed, {true, true}).size());
    if (candidate.link && candidate.link->is_tracked && file.measured()) count_elsewhere(candidate, result);
    result.without_code = !candidate.in_data && is_other_language(file.path) && file.unmeasured_statements == 0;
    for (const FileMeasurer& input : inputs_) {
      DiffFile& its = result.of_inputs.emplace_back(fresh);
      input.measure(its, candidate.canonical, *bytes, source);
      its.source = {};
    }
    return result;
  }

 private:
  /// What a link leads to adds no lines, which would outweigh others. But where it took the place of other code, its
  /// lines have to have run; those of the change count by its own name.
  static void count_elsewhere(const Candidate& candidate, Measured& result) {
    DiffFile& file = result.file;
    const auto missing = std::ranges::count_if(file.missing, [&](int32_t line) {
      return !candidate.target || !std::ranges::binary_search(candidate.target->added, line);
    });
    result.counts_elsewhere = !candidate.link->replaces || missing == 0;
    if (!result.counts_elsewhere)
      file.not_measured = fmt::format("it is a link now, to code of which {} never ran",
                                      missing == 1 ? "1 line" : fmt::format("{} lines", missing));
  }

  /// Files that are reached by links, each of them once: not those that are candidates by their own names as a whole.
  void add_linked(const Changes& changes, std::vector<Candidate>& result) {
    std::set<std::string> known;
    std::map<std::string, const ChangedFile*> targets;
    for (const Candidate& candidate : result) {
      targets.emplace(candidate.canonical, candidate.change);
      if (candidate.change->kind == ChangeKind::Untracked) known.insert(candidate.canonical);
    }
    const std::string root = canonical_(changes.root);
    for (const LinkedFile& one : changes.behind_links) {
      std::string path = changes.root + "/" + one.file.path;
      std::string its_canonical = canonical_(path);
      const bool in_data = paths().find(its_canonical) != nullptr;
      const bool expected = in_data || !one.unknown.empty() || is_python_name(one.file.path) ||
                            is_python_script(path) || sources_.expects(its_canonical) ||
                            sources_.expects(root + "/" + one.file.path);
      if (!expected || (options_.wanted && !options_.wanted(path, in_data))) continue;
      if (!known.insert(its_canonical).second) continue;
      auto target = targets.find(its_canonical);
      result.push_back({&one.file, std::move(path), std::move(its_canonical), in_data, &one,
                        target == targets.end() ? nullptr : target->second});
    }
  }

  const DiffCoverageOptions& options_;
  CanonicalPaths canonical_;
  FileMeasurer all_;
  ReportedSources sources_;
  std::vector<FileMeasurer> inputs_;
  std::vector<std::string> unnamed_;
};

/// Adds what each of several inputs covers.
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

/// Adds only a few of them: notes are part of every format, and the length of a pull request comment is limited. `more`
/// says what the others are.
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

/// The number of changed lines, as diff-cover counts them. Files that patterns leave out do not count.
int64_t count_changed_lines(const Changes& changes, const DiffCoverageOptions& options) {
  int64_t n = 0;
  for (const ChangedFile& file : changes.files)
    if (!options.wanted || options.wanted(changes.root + "/" + file.path, true))
      n += static_cast<int64_t>(file.added.size());
  return n;
}

/// Notes in one line what may be source but is not part of the numbers.
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
  if (parts.empty()) return;
  std::string list = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) list += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  result.notes.push_back(fmt::format(
      "Not counted: {}{}", list, untracked.empty() ? "." : "; --include-untracked counts what git does not track."));
}

/// Notes the usual reason why no data is found: it was measured in another checkout. One note for all files of a
/// language, when none of its files is here, and one for a file whose name the data has elsewhere.
void note_data_elsewhere(const std::string& root, Measuring& measuring, DiffCoverage& result) {
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
  result.conditions = options.conditions;
  result.branches = options.branches && result.has_arcs;
  if (options.branches && !result.has_arcs) result.notes.push_back("The data has no branches: only lines are counted.");
  result.notes.insert(result.notes.end(), changes.notes.begin(), changes.notes.end());
  result.n_changed_lines = count_changed_lines(changes, options);
  for (const NamedData& input : options.inputs) result.inputs.push_back({input.name, 0, 0, {}, {}});

  Measuring measuring(data, changes.root, options);
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
