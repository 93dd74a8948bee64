// Choice of files, and a pool of threads that analyses them.
#include "report/formats/reported_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "report/analysis/python_regex.h"
#include "report/config/glob_matcher.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

/// The source of a compiled file.
std::string source_of(const std::string& file) {
  if (file.ends_with(".pyc") || file.ends_with(".pyo")) return file.substr(0, file.size() - 1);
  return file;
}

std::string extension_of(const std::string& path) { return fs::path(path).extension().string(); }

/// Contexts of `data` that match one of the patterns; no value: all.
std::optional<std::set<ContextId>> chosen_contexts(const CoverageData& data, const OptionalList& patterns) {
  if (!patterns || patterns->empty()) return std::nullopt;
  std::set<ContextId> chosen;
  for (const std::string& pattern : *patterns) {
    std::optional<PythonRegex> regex;
    try {
      regex.emplace(pattern);
    } catch (const std::runtime_error& error) {
      throw ConfigError(fmt::format("Invalid context regex '{}': {}", pattern, error.what()));
    }
    for (ContextId id = 0; id < data.contexts.size(); ++id)
      if (regex->search(data.contexts[id])) chosen.insert(id);
  }
  return chosen;
}

FileData restricted(const FileData& file, const std::set<ContextId>& contexts) {
  FileData result;
  result.tracer = file.tracer;
  for (const auto& [context, lines] : file.lines)
    if (contexts.contains(context)) result.lines[context] = lines;
  for (const auto& [context, arcs] : file.arcs)
    if (contexts.contains(context)) result.arcs[context] = arcs;
  result.kernel_functions = file.kernel_functions;
  result.decisions = file.decisions;
  for (auto& [range, decision] : result.decisions)
    std::erase_if(decision.evaluations, [&](const auto& entry) { return !contexts.contains(entry.first); });
  return result;
}

/// What came of one file.
struct Outcome {
  std::optional<Analysis> analysis;
  std::exception_ptr error;
  bool done = false;
};

class Analyzer {
 public:
  Analyzer(const std::vector<ReportedFile>& files, const CoverageData& data, const Config& config, int python_minor)
      : files_(files), data_(data), contexts_(chosen_contexts(data, config.report_contexts)), outcomes_(files.size()) {
    options_.arcs = data.has_arcs.value_or(false);
    options_.python_minor = python_minor;
    options_.conditions = config.needs_conditions();
    options_.kernels = has_kernel_tables(data);
    exclusions_ = {config.exclude_list, config.partial_list, config.partial_always_list};
    size_t n_threads = std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), files.size());
    for (size_t i = 0; i < n_threads; ++i) threads_.emplace_back([this] { work(); });
  }

  ~Analyzer() {
    next_ = files_.size();
    for (std::thread& thread : threads_) thread.join();
  }

  /// Waits for file `i`.
  Outcome take(size_t i) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return outcomes_[i].done; });
    return std::move(outcomes_[i]);
  }

 private:
  void work() {
    for (size_t i; (i = next_++) < files_.size();) {
      Outcome outcome;
      try {
        outcome.analysis = analyze_one(files_[i]);
      } catch (...) {
        outcome.error = std::current_exception();
      }
      outcome.done = true;
      std::lock_guard lock(mutex_);
      outcomes_[i] = std::move(outcome);
      changed_.notify_one();
    }
  }

  Analysis analyze_one(const ReportedFile& file) const {
    SourceAnalysis source = analyze_source(read_source(file.path), file.path, exclusions_, options_);
    static const FileData kNothing;
    auto found = data_.files.find(file.data_name);
    const FileData& measured = found == data_.files.end() ? kNothing : found->second;
    return analyze(file.path, file.relative, std::move(source), contexts_ ? restricted(measured, *contexts_) : measured, options_.arcs);
  }

  const std::vector<ReportedFile>& files_;
  const CoverageData& data_;
  std::optional<std::set<ContextId>> contexts_;
  Exclusions exclusions_;
  AnalysisOptions options_;
  std::vector<Outcome> outcomes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<size_t> next_ = 0;
  std::vector<std::thread> threads_;
};

/// Throws the error again, or says it in a warning, or passes over it in silence.
void report_error(const Outcome& outcome, const ReportedFile& file, const Config& config, const Warn& warn) {
  bool disabled = std::find(config.disable_warnings.begin(), config.disable_warnings.end(), "couldnt-parse") != config.disable_warnings.end();
  try {
    std::rethrow_exception(outcome.error);
  } catch (const NotPython&) {
    std::string extension = extension_of(file.path);
    if (!extension.empty() && !extension.starts_with(".py")) return;  // whatever ran there, nobody expects Python
    if (!config.ignore_errors) throw;
    if (!disabled) warn(fmt::format("Couldn't parse Python file '{}' (couldnt-parse)", file.path));
  } catch (const std::runtime_error& error) {
    if (!config.ignore_errors) throw;
    if (!disabled) warn(fmt::format("Couldn't parse '{}': {} (couldnt-parse)", file.path, error.what()));
  }
}

}  // namespace

std::vector<ReportedFile> reported_files(const CoverageData& data, const Config& config, const std::vector<std::string>& arguments) {
  std::string here = absolute_path(".");
  if (!here.ends_with('/')) here += '/';
  auto relative = [&](const std::string& file) { return file.starts_with(here) ? file.substr(here.size()) : file; };

  std::vector<std::string> names = arguments;
  if (names.empty())
    for (const auto& [name, file] : data.files) names.push_back(name);
  GlobMatcher include(prepare_patterns(config.report_include.value_or(StringList{})));
  GlobMatcher omit(prepare_patterns(config.report_omit.value_or(StringList{})));

  std::vector<ReportedFile> files;
  for (const std::string& name : names) {
    std::string source = source_of(name);
    ReportedFile file;
    file.path = config.relative_files ? source : absolute_path(source);
    file.relative = relative(source);
    file.data_name = config.relative_files ? relative(file.path) : file.path;
    if (!include.empty() && !include.match(file.path)) continue;
    if (!omit.empty() && omit.match(file.path)) continue;
    files.push_back(std::move(file));
  }
  if (files.empty()) throw NoDataError("No data to report.");
  std::sort(files.begin(), files.end(), [](const ReportedFile& a, const ReportedFile& b) {
    return std::tie(a.path, a.relative) < std::tie(b.path, b.relative);
  });
  return files;
}

void analyze_files(const std::vector<ReportedFile>& files, const CoverageData& data, const Config& config, int python_minor,
                   const std::function<void(Analysis&& analysis)>& use, const Warn& warn) {
  Analyzer analyzer(files, data, config, python_minor);
  for (size_t i = 0; i < files.size(); ++i) {
    Outcome outcome = analyzer.take(i);
    if (outcome.analysis) use(std::move(*outcome.analysis));
    else report_error(outcome, files[i], config, warn);
  }
}

}  // namespace qd::report
