// File measurer: from changed lines to changed statements, and their measured data.
#include "report/diff/measure_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "report/analysis/imported_exclusions.h"
#include "report/analysis/kernels/kernel_gaps.h"
#include "report/data/source_version.h"
#include "report/diff/imported_version.h"
#include "report/diff/reported_sources.h"
#include "runtime/syntax/parse.h"
#include "runtime/syntax/source_encoding.h"

namespace qd::report {

namespace {

constexpr size_t kListSize = 100;  // characters

// Map [line of git - 1] -> first line of Python's; one more at the end.
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

/// Adds the missing ones of `file.statements`, and their branches.
void add_numbers(DiffFile& file, const Analysis& analysis) {
  for (int32_t line : file.statements)
    if (std::binary_search(analysis.missing.begin(), analysis.missing.end(), line)) file.missing.push_back(line);
  for (const Arc& arc : analysis.unknown_branches) {
    if (!std::ranges::binary_search(file.statements, arc.from)) continue;
    ++file.n_unknown_branches;
    if (file.unknown.empty() || file.unknown.back() != arc.from) file.unknown.push_back(arc.from);
  }
  for (int32_t line : file.statements) {
    auto stats = analysis.branch_stats.find(line);
    if (stats == analysis.branch_stats.end()) continue;
    int32_t total = stats->second[0], missing = total - stats->second[1];
    file.n_branches += total;
    file.n_missing_branches += missing;
    if (std::binary_search(file.missing.begin(), file.missing.end(), line)) continue;
    if (auto found = analysis.missing_branches.find(line); found != analysis.missing_branches.end())
      file.missing_branches.insert(*found);
    if (analysis.imported && missing > 0) file.missing_counts[line] = {missing, total};
  }
}

/// Whether any of `file.statements` has several exits.
bool may_branch(const DiffFile& file, const SourceAnalysis& source) {
  return std::ranges::any_of(file.statements, [&](int32_t line) {
    auto exits = source.exit_counts.find(line);
    return exits != source.exit_counts.end() && exits->second > 1 &&
           !std::ranges::binary_search(source.no_branch, line);
  });
}

/// Adds the coverage of `file.statements` on each arch.
void add_archs(DiffFile& file, const std::vector<ArchCoverage>& archs, const std::vector<std::string>& required) {
  for (const ArchCoverage& arch : archs) {
    ArchLines& its = file.archs[arch.arch];
    const AnalysisPart part = arch.part();
    for (int32_t line : file.statements) {
      const bool is_missing = std::ranges::binary_search(part.missing, line);
      if (!is_missing && !std::ranges::binary_search(part.executed, line)) continue;
      its.statements.push_back(line);
      if (!is_missing && std::ranges::binary_search(arch.analysis->unknown_branches, line, {}, &Arc::from))
        its.unknown.push_back(line);
      if (is_missing)
        its.missing.push_back(line);
      else if (auto found = arch.analysis->missing_branches.find(line); found != arch.analysis->missing_branches.end())
        its.missing_branches.insert(*found);
    }
  }
  for (ArchGap& gap : report::arch_gaps(archs, required)) {
    std::erase_if(gap.lines, [&](int32_t line) { return !std::ranges::binary_search(file.statements, line); });
    if (!gap.lines.empty()) file.arch_gaps.push_back(std::move(gap));
  }
}

/// Sets the result for a file whose changed statements are known, but whose data is of another text.
void set_other_version(DiffFile& file, const ChangedSource& source) {
  file.not_measured = file.version == SourceVersion::Other ? kOtherVersion : kPartlyOtherVersion;
  file.unmeasured_statements = static_cast<int32_t>(file.statements.size());
  file.statements.clear();
  file.source = annotate_unmeasured(source.text);
}

/// Notes about changed lines of kernels that could not be reached by any test of the present kind.
std::vector<std::string> kernel_notes(const DiffFile& file, const Analysis& analysis) {
  std::map<std::string, std::vector<int32_t>> lines;  // by reason
  for (const KernelGap& gap : kernel_gaps(analysis)) {
    if (gap.state == ProbeState::NotHit) continue;
    std::vector<int32_t> changed;
    std::set_intersection(gap.lines.begin(), gap.lines.end(), file.missing.begin(), file.missing.end(),
                          std::back_inserter(changed));
    if (changed.empty()) continue;
    std::vector<int32_t>& list = lines[fmt::format("{}, {}", name(gap.state), gap.function->explain(gap.state))];
    list.insert(list.end(), changed.begin(), changed.end());
  }
  std::vector<std::string> notes;
  for (auto& [what, list] : lines) {
    std::sort(list.begin(), list.end());
    notes.push_back(fmt::format("{}:{}: {}", file.path,
                                shortened(format_lines(analysis.source.statements, list, {}), kListSize), what));
  }
  return notes;
}

}  // namespace

std::vector<int32_t> FileMeasurer::changed_statements(const DiffFile& file, const SourceAnalysis& source) const {
  const std::set<int32_t> touched = touched_lines(file, source);
  std::vector<int32_t> result;
  for (int32_t line : source.statements)
    if (touched.contains(line)) result.push_back(line);
  return result;
}

std::set<int32_t> touched_logical_lines(const DiffFile& file, const SourceAnalysis& source) {
  std::set<int32_t> touched;
  auto logical = [&](int32_t line) { return line >= 1 && line <= source.n_lines ? source.logical_line(line) : 0; };
  for (int32_t line : file.changed) touched.insert(logical(line));
  for (int32_t line : file.removed_after)
    if (logical(line) == logical(line + 1)) touched.insert(logical(line));
  touched.erase(0);
  return touched;
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

FileMeasurer::FileMeasurer(const CoverageData& data, const DiffCoverageOptions& options, CanonicalPaths& canonical)
    : data_(data), options_(options), archs_(measured_archs(data)), paths_(data, canonical) {
  analysis_options_.arcs = data.has_branches() || options.config.diff.branch_coverage;
  analysis_options_.python_minor = options.python_minor;
  analysis_options_.conditions = options.config.needs_conditions();
  analysis_options_.kernels = has_kernel_tables(data);
  analysis_options_.regions = !archs_.empty() && !analysis_options_.kernels;  // kernels are known by lines that ran
  for (const auto& [path, file] : data.imported)
    if (!file.branches.empty()) with_branches_.insert(language_of(path));
}

ChangedSource FileMeasurer::read(const DiffFile& file, const std::string& canonical, const std::string& bytes) const {
  ChangedSource source;
  const std::string* path = paths_.find(canonical);
  auto measured = path ? data_.files.find(*path) : data_.files.end();
  const bool is_foreign =
      (path || paths_.ambiguous(canonical)) && measured == data_.files.end() && !is_python_name(file.path);
  if (is_foreign || (measured != data_.files.end() && measured->second.plugin)) {
    source.text = decode_imported_source(bytes, file.path);
    return source;
  }
  if (!path && is_other_language(file.path)) {
    source.text = decode_imported_source(bytes, file.path);
    return source;
  }
  if (source.encoding = syntax::encoding_of_other_lines(bytes); !source.encoding.empty()) {
    source.text = syntax::decode_source("\xEF\xBB\xBF" + bytes);  // in the file's bytes, with git's lines
    return source;
  }
  source.text = syntax::decode_source(bytes);
  std::replace(source.text.begin(), source.text.end(), '\f', ' ');
  try {
    source.analysis = analyze_source(source.text, file.path, options_.config.exclusions, analysis_options_);
  } catch (const NotPython& error) {
    source.not_python = error.what();
  }
  return source;
}

std::set<int32_t> FileMeasurer::touched_lines(const DiffFile& file, const SourceAnalysis& source) const {
  if (options_.config.diff.exact_lines()) return {file.changed.begin(), file.changed.end()};
  return touched_logical_lines(file, source);
}

// Each line of the input is a statement. For Python, other tools name the first line of a statement, so a change of any
// of its later lines is a change of the statement.
FileNotes FileMeasurer::measure_imported(DiffFile& file, const std::string& name, const ChangedSource& source) const {
  auto n_lines = static_cast<int32_t>(std::count(source.text.begin(), source.text.end(), '\n'));
  std::shared_ptr<const ImportedFile> imported(std::shared_ptr<void>(), &data_.imported.at(name));  // not owned
  ImportedFile doubted;
  if (source.by_link) (doubted = *imported).older = true;
  const std::string other_version = why_of_other_version(source.by_link ? doubted : *imported, file.path, source.text,
                                                         source.analysis ? &*source.analysis : nullptr, file.changed);
  file.version = !other_version.empty() ? SourceVersion::Other
                 : imported->older      ? SourceVersion::Newer
                                        : SourceVersion::Unknown;
  if (!other_version.empty()) {
    file.not_measured = other_version;
    file.unmeasured_statements = source.analysis
                                     ? static_cast<int32_t>(changed_statements(file, *source.analysis).size())
                                     : static_cast<int32_t>(file.changed.size());
    file.source = annotate_unmeasured(source.text);
    return {};
  }
  if (options_.config.diff.expand_coverage_report)
    imported = std::make_shared<const ImportedFile>(imported->expanded());
  const ExcludedParts excluded = find_excluded_parts(source.text, file.path, options_.config.exclusions,
                                                     source.analysis ? &*source.analysis : nullptr);
  const std::vector<int32_t> unreported = unreported_code(
      *imported, file.path, source.text, source.analysis ? &*source.analysis : nullptr, file.changed, excluded.lines);
  if (!unreported.empty()) {
    file.version = SourceVersion::NoLines;
    file.not_measured = "the report has no line of it";
    file.unmeasured_statements = static_cast<int32_t>(unreported.size());
    file.source = annotate_unmeasured(source.text);
    return {{}, excluded.notes, false};
  }
  imported = std::make_shared<const ImportedFile>(without(*imported, excluded));
  Analysis analysis = analyze_imported(name, file.path, std::move(imported), n_lines, false, excluded.lines);
  bool by_statement = !options_.config.diff.exact_lines() && !options_.config.diff.expand_coverage_report;
  if (by_statement && source.analysis && source.analysis->n_lines == analysis.source.n_lines) {
    std::set<int32_t> touched = touched_logical_lines(file, *source.analysis);
    for (int32_t line : analysis.source.statements)
      if (touched.contains(source.analysis->logical_line(line))) file.statements.push_back(line);
  } else {
    std::set<int32_t> touched(file.changed.begin(), file.changed.end());
    for (int32_t line : analysis.source.statements)
      if (touched.contains(line)) file.statements.push_back(line);
  }
  add_numbers(file, analysis);
  file.lacks_branches = !with_branches_.contains(language_of(name)) &&
                        (source.analysis ? may_branch(file, *source.analysis) : !file.statements.empty());
  add_archs(file, arch_coverage(analysis, {}, data_.contexts, archs_), options_.config.diff.require_archs);
  file.source = annotate(source.text, analysis, {}, data_.contexts);
  return {{}, excluded.notes, false};
}

FileNotes FileMeasurer::set_ambiguous(DiffFile& file, const AmbiguousName& name, const ChangedSource& source) const {
  file.is_ambiguous = true;
  file.not_measured = name.text();
  const size_t n = source.analysis ? changed_statements(file, *source.analysis).size()
                   : has_braces(file.path)
                       ? changed_code_lines(source.text, file.changed, {true, false, language_of(file.path)}).size()
                       : file.changed.size();
  file.unmeasured_statements = static_cast<int32_t>(n);
  file.source = annotate_unmeasured(source.text);
  return {
      {}, {fmt::format("{}: not measured. Set [paths] or --src-roots so that it names one file.", name.text())}, false};
}

// The plugin named the statements. It also maps lines to the lines that stand for them; a change of such a line is a
// change of the statement.
void FileMeasurer::measure_plugin_file(DiffFile& file, const FileData& data, const ChangedSource& source) const {
  if (data.plugin->failure) {
    if (!options_.config.ignore_errors) throw *data.plugin->failure;
    file.not_measured = data.plugin->failure->what();
    file.source = annotate_unmeasured(source.text);
    return;
  }
  Analysis analysis = analyze_plugin_file(data.plugin, source.text, data_.has_branches(data));
  std::set<int32_t> touched = touched_logical_lines(file, analysis.source);
  for (int32_t line : analysis.source.statements)
    if (touched.contains(line)) file.statements.push_back(line);
  if (!is_trusted(file.version)) return set_other_version(file, source);
  add_numbers(file, analysis);
  file.lacks_branches = !data_.has_branches(data) && !file.statements.empty();
  add_archs(file, arch_coverage(analysis, data, data_.contexts, archs_), options_.config.diff.require_archs);
  file.source = annotate(source.text, analysis, data, data_.contexts);
}

FileNotes FileMeasurer::measure(DiffFile& file, const std::string& canonical, const std::string& bytes,
                                const ChangedSource& source) const {
  if (!source.encoding.empty()) {
    file.not_measured = fmt::format("its lines may not be those of the file, in the encoding '{}'", source.encoding);
    file.source = annotate_unmeasured(source.text);
    return {};
  }
  const std::string* path = paths_.find(canonical);
  auto measured = path ? data_.files.find(*path) : data_.files.end();
  if (const AmbiguousName* name = paths_.ambiguous(canonical)) return set_ambiguous(file, *name, source);
  if (path && measured == data_.files.end()) return measure_imported(file, *path, source);
  if (!source.analysis && !path && is_other_language(file.path)) {
    const bool braces = has_braces(file.path);
    file.not_measured = kNoData;
    file.unmeasured_statements = static_cast<int32_t>(
        changed_code_lines(source.text, file.changed, {braces, !braces, language_of(file.path)}).size());
    file.source = annotate_unmeasured(source.text);
    return {};
  }
  if (path) file.version = version_of(measured->second, bytes);
  if (path && measured->second.plugin) {
    measure_plugin_file(file, measured->second, source);
    return {};
  }
  if (!source.analysis) {
    if (path && !options_.config.ignore_errors && is_python_name(file.path)) throw NotPython(source.not_python);
    file.not_measured = source.not_python;
    file.source = annotate_unmeasured(source.text);
    return {};
  }
  std::set<int32_t> touched = touched_lines(file, *source.analysis);
  file.statements = changed_statements(file, *source.analysis);
  if (!path || !is_trusted(file.version)) {
    set_other_version(file, source);
    if (!path) file.not_measured = kNoData;
    return {};
  }
  const FileData& file_data = measured->second;
  Analysis analysis = analyze(*path, file.path, *source.analysis, file_data, data_.has_branches(file_data));
  add_numbers(file, analysis);
  file.lacks_branches = !data_.has_branches(file_data) && may_branch(file, *source.analysis);
  add_archs(file, arch_coverage(analysis, file_data, data_.contexts, archs_), options_.config.diff.require_archs);
  for (DecisionCoverage& decision : analysis.conditions.decisions)
    if (touched.contains(decision.source.line)) file.decisions.push_back(std::move(decision));
  file.gradients = analysis.gradients.only(file.statements);
  file.source = annotate(source.text, analysis, file_data, data_.contexts);
  file.data = &file_data;
  return {kernel_notes(file, analysis), {}, analysis.conditions.n_stale > 0};
}

}  // namespace qd::report
