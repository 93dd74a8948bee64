// Check unlaunched-kernels. Kernels are found in the source by their decorators; the data says whether a kernel was
// compiled, and which of its lines ran.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "report/analysis/analysis.h"
#include "report/analysis/kernels/probe_states.h"
#include "report/check/check.h"
#include "report/check/source_files.h"
#include "report/check/test_contexts.h"
#include "report/config/glob_matcher.h"
#include "report/data/in_order.h"
#include "report/data/producers.h"
#include "report/data/source_version.h"
#include "report/formats/common/text.h"
#include "runtime/syntax/parse.h"

namespace qd::report {
namespace {

constexpr const char* kUnlaunchedKernels = "unlaunched-kernels";

/// Kernels in the source of one file.
struct Kernels {
  std::string path;                           // absolute
  std::optional<SourceAnalysis> source = {};  // when there are any
  std::string bytes = {};
  std::string error = {};  // reason why they are not known
};

bool mentions_kernels(const std::string& bytes) {
  const auto known = producers();
  auto mentions = [&](const std::string& decorator) {
    return bytes.find(std::string_view(decorator).substr(decorator.rfind('.') + 1)) != std::string::npos;
  };
  return std::ranges::any_of(known->kernel_decorators, mentions) ||
         std::ranges::any_of(known->func_decorators, mentions);
}

Kernels find_kernels(const CheckInput& input, const std::string& path) {
  Kernels result{path};
  std::optional<std::string> bytes = input.read(path);
  if (!bytes) {
    result.error = "it can't be read";
    return result;
  }
  if (!mentions_kernels(*bytes)) return result;
  std::string text = syntax::decode_source(*bytes);
  std::replace(text.begin(), text.end(), '\f', ' ');
  AnalysisOptions options;
  options.arcs = false;
  options.kernels = true;
  options.python_minor = input.python_minor;
  try {
    SourceAnalysis source = analyze_source(text, path, {}, options);
    bool any = std::any_of(source.functions->begin(), source.functions->end(),
                           [](const KernelDefinition& one) { return one.decorated; });
    if (any) {
      result.source = std::move(source);
      result.bytes = std::move(*bytes);
    }
  } catch (const NotPython& error) {
    result.error = error.what();
  }
  return result;
}

/// Lines that were executed by tests.
Numbits lines_of_tests(const FileData& data, const std::set<ContextId>& tests) {
  Numbits result;
  for (const auto& [context, lines] : data.lines)
    if (tests.contains(context)) result.merge(lines);
  for (const auto& [context, arcs] : data.arcs)
    if (tests.contains(context)) add_lines_of(arcs, result);
  return result;
}

class LaunchFinder {
 public:
  LaunchFinder(const CheckInput& input, CheckReport& report)
      : input_(input), report_(report), areas_(input.areas()), tests_(test_contexts(input.data())) {
    for (const auto& [path, file] : input.data().files) data_.emplace(absolute_path(path), &file);
  }

  void add(const Kernels& kernels) {
    std::string path = input_.shown(kernels.path);
    if (areas_.of(path) == Area::Tests) return;
    ++n_files_;
    if (!kernels.error.empty()) {
      std::string message = fmt::format("The kernels of this file can't be found: {}.", visible(kernels.error));
      report_.findings.push_back({kUnlaunchedKernels, Severity::Warning, path, 1, 1, std::move(message), "unknown"});
    }
    report_.examined.push_back({kUnlaunchedKernels, path});
    if (!kernels.source) return;
    static const FileData kNone;
    auto found = data_.find(kernels.path);
    const SourceVersion version =
        found == data_.end() ? SourceVersion::This : version_of(*found->second, kernels.bytes);
    report_.versions.add(path, version);
    bool is_known = found != data_.end() && is_trusted(version);
    const FileData& data = is_known ? *found->second : kNone;
    const Numbits lines = lines_of_tests(data, tests_);
    FileKernels functions = file_kernels(*kernels.source, data);
    for (const KernelProbes& function : functions.functions) add(path, function, lines);
    if (!functions.stale.empty() || (found != data_.end() && !is_known))
      report_.notes.push_back(fmt::format(
          "Kernels of '{}' were measured in another version of it: after a change, run the tests again.", path));
  }

  void finish() {
    if (n_kernels_ == 0)
      report_.notes.push_back(fmt::format("There is no kernel in {}.", plural(n_files_, "source file")));
    if (n_kernels_ == 0) return;
    if (!has_kernel_tables(input_.data())) report_.notes.push_back(why_no_kernel_tables(input_.data()));
    if (tests_.empty())
      report_.notes.push_back(
          "The data has no test contexts: any launch counts. Measure with 'qd-cov run --context test', or pytest-cov's "
          "'--cov-context=test'.");
  }

 private:
  void add(const std::string& path, const KernelProbes& function, const Numbits& lines_of_tests) {
    ++n_kernels_;
    // A function that was compiled, and of which no line ran, has a docstring alone: no line that could run.
    bool in_test = function.compiled() && !function.ran;
    for (int32_t line = function.source.body_line; line <= function.source.last_line; ++line)
      in_test = in_test || lines_of_tests.contains(line);
    bool launched = function.ran || function.compiled();
    if (tests_.empty() ? launched : in_test) return;
    report_.findings.push_back({kUnlaunchedKernels, Severity::Warning, path, function.source.def_line,
                                function.source.first_line, message(function, launched), function.source.name});
  }

  static std::string message(const KernelProbes& function, bool launched) {
    std::string name = visible(function.source.name);
    const bool is_called = function.is_called();
    if (!launched && function.unreached({-1, -1}) == ProbeState::Failed)
      return fmt::format("{} '{}' was never {}, it {}.",
                         is_called                   ? "Function"
                         : function.source.is_kernel ? "Kernel"
                                                     : "Func",
                         name, is_called ? "called" : "launched", visible(function.explain(ProbeState::Failed)));
    if (is_called) return fmt::format("Function '{}' is called{} by no test.", name, function.ran ? ", but" : "");
    if (!function.source.is_kernel) return fmt::format("Func '{}' is called by no kernel that a test launches.", name);
    return launched ? fmt::format("Kernel '{}' is launched, but by no test.", name)
                    : fmt::format("Kernel '{}' is launched by no test.", name);
  }

  const CheckInput& input_;
  CheckReport& report_;
  Areas areas_;
  std::set<ContextId> tests_;
  std::map<std::string, const FileData*> data_;  // by absolute path
  int64_t n_files_ = 0, n_kernels_ = 0;
};

}  // namespace

void unlaunched_kernels(const CheckInput& input, CheckReport& report) {
  LaunchFinder finder(input, report);
  const std::vector<std::string> files = source_files(input);
  in_order(
      files.size(), [&](size_t i) { return find_kernels(input, files[i]); },
      [&](size_t, Kernels&& kernels) { finder.add(kernels); });
  finder.finish();
}

}  // namespace qd::report
