// Analysis of one source file, as coverage.py has it: statements, exclusions, branches, and which of them were
// executed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/conditions/conditions.h"
#include "report/analysis/gradients.h"
#include "report/analysis/kernels/probe_states.h"
#include "report/analysis/line_map.h"
#include "report/analysis/plugin_file.h"
#include "report/analysis/source/arc_descriptions.h"
#include "report/analysis/source/regions.h"
#include "report/data/coverage_data.h"
#include "report/regex/exclusions.h"

namespace qd::report {

/// A source file that does not exist ("No source for code: '...'.").
struct NoSource : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// A source file that is not Python ("Couldn't parse '...' as Python source: '...' at line N").
struct NotPython : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Minor version of the Python that ran the code: 3.MINOR. Up to 3.11, code of functions inside dead code counts as
/// statements.
inline constexpr int kDefaultPythonMinor = 12;

struct AnalysisOptions {
  bool arcs = true;           // line data needs no arcs, exits and no_branch
  bool conditions = false;    // find the decisions
  bool kernels = false;       // find the functions
  bool regions = false;       // find the regions
  bool descriptions = false;  // keep the reasons that describe arcs
  int python_minor = kDefaultPythonMinor;
};

/// The part of an analysis that does not depend on measured data. Line lists are sorted and hold first lines of logical
/// lines, but an excluded function or class has every line that it spans in `excluded`.
struct SourceAnalysis {
  int32_t n_lines = 0;              // physical lines
  std::vector<int32_t> first_line;  // [physical line] -> first line of its logical line; index 0 unused
  std::vector<int32_t> last_line;   // [first line] -> last physical line of that logical line
  std::vector<int32_t> statements;  // without excluded ones
  std::vector<int32_t> excluded;
  std::vector<int32_t> no_branch;  // lines whose missing branches are forgiven; found for arcs and conditions
  std::vector<Arc> arcs;           // possible arcs, sorted
  LineMap<int32_t> exit_counts;    // [line] -> number of exits
  // Arcs, measured or possible, that go back to the head of a `with` at the end of its body, each with the arc that
  // replaces it (nothing: the arc is dropped).
  std::map<Arc, std::optional<Arc>> with_jumps;
  std::optional<std::vector<SourceDecision>> decisions;    // of all functions, sorted; none: not asked for
  std::optional<std::vector<KernelDefinition>> functions;  // likewise, without their syntax trees

  std::vector<CodeRegion> regions;  // when they are asked for
  ArcReasons arc_reasons;           // likewise

  /// Description of an arc of `arcs` ("jump to line 3"), and the reason why it was not taken ("line 1 didn't jump to
  /// line 3 because the condition on line 1 was always true"). With AnalysisOptions::descriptions.
  std::string arc_description(Arc arc) const { return describe_arc(arc, arc_reasons); }
  std::string missing_arc_description(Arc arc) const { return describe_missing_arc(arc, arc_reasons); }

  bool operator==(const SourceAnalysis&) const = default;
  /// Fills exit_counts from arcs and excluded lines.
  void count_exits();
  /// The first line of the logical line to which `line` belongs. For an entry or exit (a negative line): that of the
  /// code object.
  int32_t logical_line(int32_t line) const;
};

/// Whether a file name has the ending of Python.
inline bool is_python_name(std::string_view path) { return path.ends_with(".py") || path.ends_with(".pyw"); }

/// The text of a source file as coverage.py sees it: decoded, form feeds as blanks. Throws NoSource.
std::string read_source(const std::string& path);
/// The same in two steps: first the bytes of the file, then their text.
std::string read_source_bytes(const std::string& path);
std::string decode_source_bytes(std::string bytes);

/// Analyses `text`, which read_source or syntax::decode_source returned; `path` is for messages. Throws NotPython, and
/// std::runtime_error for a pattern that is no regular expression. Thread-safe.
SourceAnalysis analyze_source(const std::string& text, const std::string& path, const Exclusions& exclusions,
                              const AnalysisOptions& options = {});

/// coverage.py's Numbers.
struct Numbers {
  int32_t n_files = 0, n_statements = 0, n_excluded = 0, n_missing = 0;
  int32_t n_branches = 0, n_partial_branches = 0, n_missing_branches = 0;
  int32_t n_unknown_branches = 0;  // not among the others: Analysis::unknown_branches

  int32_t n_executed() const { return n_statements - n_missing; }
  int32_t n_executed_branches() const { return n_branches - n_missing_branches; }
  double pc_covered() const;                            // 0..100; 100 when there is nothing to cover
  double pc_total() const;                              // 0 without statements: the total of html, json and lcov
  std::string pc_covered_str(int precision = 0) const;  // never rounds to 0 or 100
  Numbers& operator+=(const Numbers& other);
};

/// One file with its measured data.
struct Analysis {
  std::string path;      // as in the data
  std::string relative;  // as shown in reports
  SourceAnalysis source;
  std::vector<int32_t> executed, missing;  // statements
  bool has_arcs = false;
  std::vector<Arc> executed_arcs;                            // sorted, between logical lines; possible or not
  std::map<int32_t, std::vector<int32_t>> missing_branches;  // [line] -> destinations never taken
  LineMap<std::array<int32_t, 2>> branch_stats;              // [line] -> {total exits, taken exits}
  /// Branches of kernels that were measured by lines alone, if they may have been taken or not (infer_arcs()). They are
  /// in none of the numbers above, nor in `branch_stats`.
  std::vector<Arc> unknown_branches;  // sorted
  Numbers numbers;
  FileConditions conditions;  // when the source was analysed with conditions
  FileKernels kernels;        // when it was analysed with kernels
  FileGradients gradients;
  /// Data of another tool, if the file is reported from that; else null. Such branches have no destinations: they are
  /// counted in `branch_stats` and in here, and `missing_branches` is empty.
  std::shared_ptr<const ImportedFile> imported;
  std::vector<std::string> notes;            // warnings about markers in its source that do not fit together
  std::shared_ptr<const PluginFile> plugin;  // answers of the plugin, when the file is reported from these; else null

  /// Description of an arc, in coverage.py's words, or in those of the plugin that measured the file.
  std::string arc_description(Arc arc) const;

  /// Counts the branches of a line of an imported file; `missing` is complete.
  void add_branch_stats(int32_t line, int32_t total, int32_t taken);

  /// "4-7, 9, 12->exit", coverage.py's Missing column, and of an imported file "12: 1 of 2 branches".
  std::string missing_formatted(bool branches = true) const;
};

/// Measured arcs, of any contexts, as sorted arcs between logical lines. A jump from a line to itself, within a logical
/// line, stands for the only arc out of that line, if there is only one.
std::vector<Arc> executed_arcs(const SourceAnalysis& source, std::vector<Arc> measured);

/// Analysis of a file that another tool measured: its statements are the lines that the tool names. `n_lines` is the
/// number of lines that the source has now; the analysis has at least as many as the last line that was imported.
/// Regions are the functions, if regions are asked for. `excluded` are lines, sorted, which `imported` does not have.
Analysis analyze_imported(const std::string& path, const std::string& relative,
                          std::shared_ptr<const ImportedFile> imported, int32_t n_lines, bool regions,
                          std::vector<int32_t> excluded = {});

/// Analysis of a file that a plugin measured. `text` is its source, as far as it is needed.
Analysis analyze_plugin_file(std::shared_ptr<const PluginFile> plugin, const std::string& text, bool has_arcs);

/// Text of a file that another tool measured: UTF-8, lines ended by '\n'. Python is decoded by Python's
/// rules, other bytes that are no UTF-8 as Latin-1. Throws NoSource.
std::string read_imported_source(const std::string& path);
/// The same for its bytes.
std::string decode_imported_source(const std::string& bytes, const std::string& path);

/// Joins a source's analysis with its measured data. The source was analysed with arcs when has_arcs is set.
Analysis analyze(const std::string& path, const std::string& relative, SourceAnalysis source, const FileData& data,
                 bool has_arcs);

}  // namespace qd::report
