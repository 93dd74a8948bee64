// Analysis of a file: of Python, of a plugin's answers, or of another tool's report.
#include "report/engine/file_analyzer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "report/analysis/imported_exclusions.h"
#include "report/analysis/source/line_patterns.h"
#include "report/data/file_content.h"
#include "report/data/producers.h"
#include "report/diff/imported_version.h"
#include "report/engine/chosen_contexts.h"
#include "report/regex/python_regex.h"

namespace qd::report {

namespace {

/// Cache key of an analysis beside the source: this program, the patterns, and how they are applied.
std::string cache_settings(const Exclusions& exclusions) {
  std::string settings = fmt::format("{} {:d}{:d}", build_id(), exclusions.by_line, exclusions.by_token);
  for (const StringList* patterns : {&exclusions.exclude, &exclusions.partial, &exclusions.partial_always}) {
    settings += '\0';
    for (const std::string& pattern : *patterns) settings += fmt::format("{}:{}", pattern.size(), pattern);
  }
  const auto kernels = producers();
  settings +=
      fmt::format(" {} {}", fmt::join(kernels->kernel_decorators, ","), fmt::join(kernels->func_decorators, ","));
  return settings;
}

/// Whether a report names a file that has code, and has no line of it.
bool lacks_lines(const ImportedFile& imported, const std::string& path, const std::string& text,
                 const SourceAnalysis* python, int32_t n_lines, const std::vector<int32_t>& excluded) {
  if (!imported.lines.empty()) return false;
  if (text.empty()) return !imported.functions.empty();
  std::vector<int32_t> lines(static_cast<size_t>(n_lines));
  std::iota(lines.begin(), lines.end(), 1);
  return !unreported_code(imported, path, text, python, lines, excluded).empty();
}

}  // namespace

FileAnalyzer::FileAnalyzer(const CoverageData& data, const Config& config, int python_minor, AnalysisNeeds needs)
    : data_(data),
      config_(config),
      contexts_(chosen_contexts(data, config.report_contexts)),
      exclusions_(config.exclusions) {
  options_.arcs = data.has_arcs.value_or(false);
  options_.python_minor = python_minor;
  options_.conditions = config.needs_conditions();
  options_.kernels = has_kernel_tables(data);
  options_.regions = needs.regions;
  options_.descriptions = needs.descriptions;
  if (std::string path = config.cache ? analysis_cache_path(config.data_file) : ""; !path.empty())
    cache_ = std::make_unique<AnalysisCache>(std::move(path), cache_settings(exclusions_));
}

void FileAnalyzer::save_cache() {
  if (cache_) cache_->save();
}

AnalyzedFile FileAnalyzer::analyze_imported(const ReportedFile& file, const ImportedFile& imported) const {
  std::string text;
  try {
    text = read_imported_source(file.path);
  } catch (const NoSource&) {
    // Generated code that was deleted: its numbers are still true.
  }
  if (!text.empty() && text.back() != '\n') text += '\n';
  const size_t size = text.size();
  auto n_lines = static_cast<int32_t>(std::count(text.begin(), text.end(), '\n'));
  std::shared_ptr<const ImportedFile> shared(std::shared_ptr<void>(), &imported);  // not owned
  if (contexts_ && !contexts_->contains(0))
    shared = std::make_shared<const ImportedFile>(imported.without_hits());  // it has the default context only
  const std::optional<SourceAnalysis> python = imported_python(file, imported, text);
  ExcludedParts excluded = find_excluded_parts(text, file.relative, exclusions_, python ? &*python : nullptr);
  const bool without_lines =
      lacks_lines(imported, file.path, text, python ? &*python : nullptr, n_lines, excluded.lines);
  shared = std::make_shared<const ImportedFile>(without(*shared, excluded));
  Analysis analysis = report::analyze_imported(file.path, file.relative, std::move(shared), n_lines, options_.regions,
                                               std::move(excluded.lines));
  analysis.notes = std::move(excluded.notes);
  text.append(static_cast<size_t>(analysis.source.n_lines - n_lines), '\n');
  SourceVersion version = imported.older ? SourceVersion::Newer : SourceVersion::Unknown;
  if (n_lines > 0 &&
      !why_of_other_version(imported, file.path, text.substr(0, size), python ? &*python : nullptr, {}).empty())
    version = SourceVersion::Other;
  if (without_lines) version = SourceVersion::NoLines;
  std::string why_hidden = n_lines > 0 ? shown_.why_not(file.path) : "";
  if (!why_hidden.empty()) text = hidden_text(text, file.path, why_hidden);
  return {&file,   std::move(analysis),  std::move(text), std::make_shared<const FileData>(),
          version, std::move(why_hidden)};
}

/// Analysis of imported Python, if its text matters: for its exclusions, or its version.
std::optional<SourceAnalysis> FileAnalyzer::imported_python(const ReportedFile& file, const ImportedFile& imported,
                                                            const std::string& text) const {
  if (!is_python_name(file.path) || text.empty()) return std::nullopt;
  bool matters = imported.older || imported.lines.empty();
  LinePatterns::get(exclusions_.exclude, exclusions_.by_line)->find_lines(text, [&](int32_t, int32_t) {
    matters = true;
  });
  if (!matters) return std::nullopt;
  AnalysisOptions options = options_;
  options.arcs = false;
  try {
    return analyze_source(text, file.path, exclusions_, options);
  } catch (const NotPython&) {
    return std::nullopt;
  }
}

std::shared_ptr<const FileData> FileAnalyzer::chosen_data(const std::string& data_name) const {
  auto found = data_.files.find(data_name);
  if (found == data_.files.end()) return std::make_shared<const FileData>();
  if (contexts_) return std::make_shared<const FileData>(restricted(found->second, *contexts_));
  return {std::shared_ptr<void>(), &found->second};  // not owned
}

AnalyzedFile FileAnalyzer::analyze_plugin_file(const ReportedFile& file) const {
  if (file.plugin->failure) throw *file.plugin->failure;
  std::shared_ptr<const FileData> data = chosen_data(file.data_name);
  std::string text = file.plugin->text.value_or("");
  Analysis analysis = report::analyze_plugin_file(file.plugin, text, data_.has_branches(*data));
  auto found = data_.files.find(file.data_name);
  const SourceVersion version =
      found == data_.files.end() ? SourceVersion::This : version_of(found->second, read_bytes(file.path).value_or(""));
  return {&file, std::move(analysis), std::move(text), std::move(data), version};
}

AnalyzedFile FileAnalyzer::analyze(const ReportedFile& file) const {
  if (file.plugin) return analyze_plugin_file(file);
  if (!data_.files.contains(file.data_name))
    if (auto found = data_.imported.find(file.data_name); found != data_.imported.end())
      return analyze_imported(file, found->second);
  auto found = data_.files.find(file.data_name);
  if (found != data_.files.end() && !found->second.tracer.empty())
    throw std::runtime_error(fmt::format("'{}' was measured by the plugin '{}', which was not asked about it",
                                         file.relative, found->second.tracer));
  std::string bytes = read_source_bytes(file.path);
  const SourceVersion version = found == data_.files.end() ? SourceVersion::This : version_of(found->second, bytes);
  std::string text = decode_source_bytes(std::move(bytes));
  std::optional<SourceAnalysis> source = cache_ ? cache_->find(text, options_) : std::nullopt;
  if (!source) {
    source = analyze_source(text, file.path, exclusions_, options_);
    if (cache_) cache_->add(text, options_, *source);
  }
  std::shared_ptr<const FileData> data = chosen_data(file.data_name);
  Analysis analysis = report::analyze(file.path, file.relative, std::move(*source), *data, data_.has_branches(*data));
  std::string why_hidden = shown_.why_not_measured(file.path);
  if (!why_hidden.empty()) text = hidden_text(text, file.path, why_hidden);
  return {&file, std::move(analysis), std::move(text), std::move(data), version, std::move(why_hidden)};
}

void FileAnalyzer::report_error(const std::exception_ptr& error, const ReportedFile& file, const Warn& warn) const {
  const StringList& disabled_warnings = config_.disable_warnings;
  bool disabled =
      std::find(disabled_warnings.begin(), disabled_warnings.end(), "couldnt-parse") != disabled_warnings.end();
  try {
    std::rethrow_exception(error);
  } catch (const RegexLimit&) {
    throw;  // an error of the configuration, not of the file
  } catch (const NotPython&) {
    const std::string extension = std::filesystem::path(file.path).extension().string();
    if (!extension.empty() && !extension.starts_with(".py")) return;  // such a file is not expected to be Python
    if (!config_.ignore_errors) throw;
    if (!disabled) warn(fmt::format("Couldn't parse Python file '{}' (couldnt-parse)", file.path));
  } catch (const std::runtime_error& failure) {
    if (!config_.ignore_errors) throw;
    if (!disabled) warn(fmt::format("Couldn't parse '{}': {} (couldnt-parse)", file.path, failure.what()));
  }
}

}  // namespace qd::report
