// Measured data in memory, with the content of one coverage.py data file: lines or arcs per file and context.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "report/data/arc.h"
#include "report/data/imported.h"
#include "report/data/instrument_results.h"
#include "report/data/kernel_data.h"
#include "report/data/numbits.h"

namespace qd::report {

/// A data file that cannot be used; the text is coverage.py's.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// No data to report on or to combine.
struct NoDataError : DataError {
  using DataError::DataError;
  NoDataError(const std::string& message, std::string what_to_do)
      : DataError(message), next_step(std::move(what_to_do)) {}
  std::string next_step;  // a sentence with advice for the user, or empty
};

/// Adds the executed lines of arcs: every positive number on either side.
void add_lines_of(const std::vector<Arc>& arcs, Numbits& lines);

struct PluginFile;  // report/analysis/plugin_file.h

using ContextId = uint32_t;  // index into CoverageData::contexts

/// Data of one file. A CoverageData has either `lines` or `arcs`. Only mixed data has both; then `lines` holds the
/// lines of runs without branches.
struct FileData {
  std::map<ContextId, Numbits> lines;
  std::map<ContextId, std::vector<Arc>> arcs;  // sorted, unique
  bool lines_only = false;                     // no branch data, in data that otherwise has arcs
  std::string tracer;                          // plug-in that measured it; empty for Python
  std::shared_ptr<PluginFile>
      plugin;  // answers of that plug-in about the file; null before it was asked, and for Python
  std::map<KernelFunction, Probes> kernel_functions;
  std::map<SourceRange, MeasuredDecision> decisions;
  MeasuredResults results;              // of instruments besides arcs and conditions
  int64_t id = 0;                       // its id in the data file that it was read from; 0: none
  std::set<std::string> source_hashes;  // hashes of its text when it was measured; may also have kNoVersion,
                                        // kDoubtfulVersion (source_version.h); empty: not known

  /// All executed lines over all contexts; for arcs every positive number on either side.
  Numbits executed_lines() const;
  /// All arcs over all contexts, sorted and unique.
  std::vector<Arc> executed_arcs() const;
  /// Whether any line of it was executed.
  bool any_executed() const;
};

/// Data of a file in some contexts only. The record of compiled code stays complete.
FileData restricted(const FileData& file, const std::set<ContextId>& contexts);

struct CoverageData {
  std::string path;                // the data file's name in messages
  std::optional<int64_t> written;  // time of writing of that file, in nanoseconds of the epoch; no value: it is
                                   // of now, or older versions are noted already
  std::optional<bool> has_arcs;    // nothing measured yet: no value; true when only some files have arcs
  std::vector<std::string> contexts = {""};  // contexts[0] is always the static default ''
  std::map<std::string, FileData> files;     // a file without lines or arcs was read but not executed
  std::set<std::string> commands;            // measured commands, as shell lines
  std::set<uint64_t> kept_inputs;            // hash_of_file() of files that are in here, and were kept
  std::set<std::string> unread_inputs;       // paths of files that should be in here, and could not be read as a whole
  int64_t last_id = 0;  // new files get larger ids: a program that has read the data file knows others by these ids
  std::string damage;   // unreadable parts of a journal or report, as a sentence; empty: none
  std::map<std::string, ImportedFile> imported;         // data of other tools, by path; apart from `files`, so that
                                                        // coverage.py reads the same from a data file
  std::set<AmbiguousName> ambiguous;                    // names in reports of other tools that fit several files
  std::map<std::string, std::set<std::string>> joined;  // files of one input that got the same name, by that name

  ContextId context_id(const std::string& context);  // adds it when new
  void add_line(const std::string& file, int32_t line, ContextId context = 0);
  void add_arc(const std::string& file, Arc arc, ContextId context = 0);
  /// Adds all data of `other`; `map_path`, if there is one, renames its files. Throws DataError, in coverage.py's
  /// words, when a file has another tracer, or when line data meets arc data and neither `mixed` is true nor the data
  /// of either side is mixed. Then *this is unchanged.
  void update(CoverageData other, const std::function<std::string(const std::string&)>& map_path = {},
              bool mixed = false);

  /// Whether branches of `file` were measured.
  bool has_branches(const FileData& file) const { return has_arcs.value_or(false) && !file.lines_only; }
  /// Whether some of it was measured with branches and some without.
  bool is_mixed() const;

  /// Whether there is any branch data: arcs, or branches of imported files.
  bool has_branches() const;

  /// Branch data as statement data: the lines of the arcs.
  CoverageData as_lines() const;
};

/// Maps a context to the one that its data is kept under, so that memory does not grow with the number of contexts. No
/// value: the context is left out. Called once for each context, first for ''. Evaluations of kernels' conditions keep
/// their contexts.
using FoldContext = std::function<std::optional<ContextId>(ContextId id, const std::string& context)>;

/// Reads a data file of schema 7. A database without tables is no data, or an error unless `may_be_empty`. Without
/// `fold` every context is kept. Throws DataError ("Couldn't use data file '...': ..."); for a missing file NoDataError
/// ("No data to report.").
CoverageData read_data(const std::string& path, bool may_be_empty = true, const FoldContext& fold = {});

/// Writes a new data file: to a temporary name in the same folder, then renamed over `path`. Throws DataError; then
/// `path` is as it was.
void write_data(const std::string& path, const CoverageData& data);

/// The same for a new file: when `path` exists (it belongs to another process with the same number), the name gets a
/// number of its own, as of move_to_unused(). Returns the name. Throws DataError.
std::string write_new_data(const std::string& path, const CoverageData& data);

/// Throws the DataError that a change of the data file `path` would throw because of its folder, or because a file
/// there is not measured data.
void check_writable(const std::string& path);

}  // namespace qd::report
