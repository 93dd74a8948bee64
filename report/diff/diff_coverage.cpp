// Changed lines to changed statements, and what was measured of them.
#include "report/diff/diff_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <unordered_map>

#include "report/analysis/kernel_gaps.h"
#include "runtime/syntax/parse.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxKernelNotes = 10;
constexpr size_t kListSize = 100;  // characters

std::string canonical(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path.string() : result.string();
}

bool is_python_name(const std::string& path) { return path.ends_with(".py") || path.ends_with(".pyw"); }

std::optional<std::string> read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// git ends lines at '\n' only, Python at a lone '\r' as well: [line of git - 1] -> first line of Python's; one more at the end.
std::vector<int32_t> python_lines(const std::string& bytes) {
  std::vector<int32_t> first = {1};
  int32_t line = 1;
  for (size_t i = 0; i < bytes.size(); ++i) {
    bool line_feed = bytes[i] == '\n';
    if (line_feed || (bytes[i] == '\r' && (i + 1 == bytes.size() || bytes[i + 1] != '\n'))) ++line;
    if (line_feed) first.push_back(line);
  }
  first.push_back(line + 1);
  return first;
}

void translate_lines(const std::string& bytes, DiffFile& file) {
  if (bytes.find('\r') == std::string::npos) return;
  std::vector<int32_t> first = python_lines(bytes);
  std::vector<int32_t> changed;
  auto at = [&](int32_t line) { return first[std::min(static_cast<size_t>(line), first.size()) - 1]; };
  for (int32_t line : file.changed)
    for (int32_t python = at(line); python < at(line + 1); ++python) changed.push_back(python);
  file.changed = std::move(changed);
  for (int32_t& line : file.removed_after)
    if (line > 0) line = at(line + 1) - 1;
}

/// First lines of the logical lines that the change touches; a line taken out of the middle of one touches it too.
std::set<int32_t> touched_logical_lines(const DiffFile& file, const SourceAnalysis& source) {
  std::set<int32_t> touched;
  auto logical = [&](int32_t line) { return line >= 1 && line <= source.n_lines ? source.logical_line(line) : 0; };
  for (int32_t line : file.changed) touched.insert(logical(line));
  for (int32_t line : file.removed_after)
    if (logical(line) == logical(line + 1)) touched.insert(logical(line));
  touched.erase(0);
  return touched;
}

struct Join {
  const CoverageData& data;
  const DiffCoverageOptions& options;
  std::unordered_map<std::string, const std::string*> data_paths = {};  // canonical -> as in the data
  std::vector<std::string> stale = {};  // files whose conditions were recorded for another version
  std::vector<std::string> kernel_notes = {};

  void index_data() {
    for (const auto& [path, file] : data.files) data_paths.emplace(canonical(path), &path);
    for (const auto& [path, file] : data.imported) data_paths.emplace(canonical(path), &path);  // what was measured goes before what was imported
  }

  /// A file that only another tool measured: each of its lines is a statement.
  void measure_imported(DiffFile& file, const std::string& bytes, const std::string& name) {
    std::string text = decode_imported_source(bytes, name);
    auto n_lines = static_cast<int32_t>(std::count(text.begin(), text.end(), '\n'));
    std::shared_ptr<const ImportedFile> imported(std::shared_ptr<void>(), &data.imported.at(name));  // not owned
    Analysis analysis = analyze_imported(name, file.path, std::move(imported), n_lines, false);
    std::set<int32_t> touched(file.changed.begin(), file.changed.end());
    for (int32_t line : analysis.source.statements)
      if (touched.contains(line)) file.statements.push_back(line);
    add_numbers(file, analysis);
    file.source = annotate(text, analysis, {}, data.contexts);
  }

  /// Of `file.statements`, what is missing, and their branches.
  static void add_numbers(DiffFile& file, const Analysis& analysis) {
    for (int32_t line : file.statements)
      if (std::binary_search(analysis.missing.begin(), analysis.missing.end(), line)) file.missing.push_back(line);
    for (int32_t line : file.statements) {
      auto stats = analysis.branch_stats.find(line);
      if (stats == analysis.branch_stats.end()) continue;
      int32_t total = stats->second[0], missing = total - stats->second[1];
      file.n_branches += total;
      file.n_missing_branches += missing;
      if (std::binary_search(file.missing.begin(), file.missing.end(), line)) continue;
      if (auto found = analysis.missing_branches.find(line); found != analysis.missing_branches.end()) file.missing_branches.insert(*found);
      if (analysis.imported && missing > 0) file.missing_counts[line] = {missing, total};
    }
  }

  void measure(DiffFile& file, const std::string& absolute, const std::string& bytes) {
    auto found = data_paths.find(canonical(absolute));
    if (found != data_paths.end() && !data.files.contains(*found->second)) return measure_imported(file, bytes, *found->second);
    std::string text = syntax::decode_source(bytes);
    std::replace(text.begin(), text.end(), '\f', ' ');
    AnalysisOptions analysis_options;
    analysis_options.arcs = data.has_arcs.value_or(false);
    analysis_options.python_minor = options.python_minor;
    analysis_options.conditions = options.conditions;
    analysis_options.kernels = has_kernel_tables(data);
    SourceAnalysis source;
    try {
      source = analyze_source(text, file.path, options.exclusions, analysis_options);
    } catch (const NotPython& error) {
      if (found != data_paths.end() && !options.ignore_errors && is_python_name(file.path)) throw;
      file.not_measured = error.what();
      file.source = annotate_unmeasured(text);
      return;
    }
    std::set<int32_t> touched = touched_logical_lines(file, source);
    for (int32_t line : source.statements)
      if (touched.contains(line)) file.statements.push_back(line);
    if (found == data_paths.end()) {
      file.not_measured = "no data";
      file.unmeasured_statements = static_cast<int32_t>(file.statements.size());
      file.statements.clear();
      file.source = annotate_unmeasured(text);
      return;
    }
    const FileData& file_data = data.files.at(*found->second);
    Analysis analysis = analyze(*found->second, file.path, std::move(source), file_data, data.has_branches(file_data));
    add_numbers(file, analysis);
    for (DecisionCoverage& decision : analysis.conditions.decisions)
      if (touched.contains(decision.source.line)) file.decisions.push_back(std::move(decision));
    note_kernels(file, analysis);
    if (analysis.conditions.n_stale > 0) stale.push_back(file.path);
    file.source = annotate(text, analysis, file_data, data.contexts);
  }

  /// Changed lines of kernels that no test could have reached: a test of another kind is missing.
  void note_kernels(const DiffFile& file, const Analysis& analysis) {
    std::map<std::string, std::vector<int32_t>> lines;  // by what is to be said of them
    for (const KernelGap& gap : kernel_gaps(analysis)) {
      if (gap.state == ProbeState::NotHit) continue;
      std::vector<int32_t> changed;
      std::set_intersection(gap.lines.begin(), gap.lines.end(), file.missing.begin(), file.missing.end(), std::back_inserter(changed));
      if (changed.empty()) continue;
      std::vector<int32_t>& list = lines[fmt::format("{}, {}", name(gap.state), gap.function->explain(gap.state))];
      list.insert(list.end(), changed.begin(), changed.end());
    }
    for (auto& [what, list] : lines) {
      std::sort(list.begin(), list.end());
      kernel_notes.push_back(fmt::format("{}:{}: {}", file.path, shortened(format_lines(analysis.source.statements, list, {}), kListSize), what));
    }
  }
};

void sort_by_path(std::vector<DiffFile>& files) {
  std::sort(files.begin(), files.end(), [](const DiffFile& a, const DiffFile& b) { return a.path < b.path; });
}

/// A few of them: notes are in every format, and a pull request comment has an end.
void add_kernel_notes(std::vector<std::string> kernel_notes, std::vector<std::string>& notes) {
  std::sort(kernel_notes.begin(), kernel_notes.end());
  size_t shown = std::min(kernel_notes.size(), kMaxKernelNotes);
  notes.insert(notes.end(), kernel_notes.begin(), kernel_notes.begin() + static_cast<ptrdiff_t>(shown));
  if (shown < kernel_notes.size())
    notes.push_back(fmt::format("{} more notes of kernel lines that were not measured or not compiled: see 'qd-cov report --kernel-states'.",
                                kernel_notes.size() - shown));
}

/// The usual reason why nothing is found: the data was measured in another checkout.
void note_foreign_data(const Changes& changes, const CoverageData& data, DiffCoverage& result) {
  if ((data.files.empty() && data.imported.empty()) || result.not_measured.empty() || !result.files.empty() || !result.without_lines.empty()) return;
  std::string root = canonical(changes.root) + "/";
  for (const auto& [path, file] : data.files)
    if (canonical(path).starts_with(root)) return;
  for (const auto& [path, file] : data.imported)
    if (canonical(path).starts_with(root)) return;
  result.notes.push_back(fmt::format(
      "No file of the data is in this repository (the first is '{}'): map its paths with [paths] in the configuration.",
      data.files.empty() ? data.imported.begin()->first : data.files.begin()->first));
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
  if (options.branches && !result.has_arcs)
    result.notes.push_back("The data has no branches: only lines are counted.");

  Join join{data, options};
  join.index_data();
  for (const ChangedFile& change : changes.files) {
    std::string absolute = changes.root + "/" + change.path;
    bool in_data = join.data_paths.contains(canonical(absolute));
    if (change.kind == ChangeKind::Deleted || !change.is_regular) continue;
    if (!is_python_name(change.path) && !in_data) continue;
    if (options.wanted && !options.wanted(absolute, in_data)) continue;
    DiffFile file;
    file.path = change.path;
    file.old_path = change.old_path;
    file.kind = change.kind;
    file.changed = change.added;
    file.removed_after = change.removed_after;
    if (std::optional<std::string> bytes = read_bytes(absolute)) {
      translate_lines(*bytes, file);
      join.measure(file, absolute, *bytes);
    } else {
      // git may know of a change in a file that is not here: a sparse checkout.
      if (in_data && !options.ignore_errors) throw NoSource(fmt::format("No source for code: '{}'.", absolute));
      file.not_measured = "not in the working tree, or not readable";
    }
    bool no_lines = file.measured() ? file.statements.empty() : file.not_measured == "no data" && file.unmeasured_statements == 0;
    auto& list = no_lines ? result.without_lines : file.measured() ? result.files : result.not_measured;
    list.push_back(std::move(file));
  }
  sort_by_path(result.files);
  sort_by_path(result.without_lines);
  sort_by_path(result.not_measured);
  note_foreign_data(changes, data, result);
  add_kernel_notes(std::move(join.kernel_notes), result.notes);
  for (const std::string& path : join.stale)
    result.notes.push_back(fmt::format("Conditions of '{}' were recorded for another version of it: after a change, run the tests again.", path));
  return result;
}

}  // namespace qd::report
