// File names in reports, and the files that they mean. A report names a file by an absolute path, or by one relative to
// a folder that it names ambiguously or not at all: then several files of the project may fit.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

/// Settings of the project for readers of reports.
struct InputOptions {
  /// Base folders of relative names: Java's packages, paths of a build in a folder below. Empty: the usual ones.
  std::vector<std::string> roots = {};
  /// Mapping of [paths]: from a file of another machine to one here. May be empty.
  std::function<std::string(const std::string&)> map_path = {};
};

/// Files that a name fits: absolute paths, each file once.
using Places = std::vector<std::string>;

class FileNames {
 public:
  /// Names of the report in the file `report`. `options` and `data` outlive the object.
  FileNames(std::string report, const InputOptions& options, CoverageData& data);

  const std::vector<std::string>& roots() const { return options_.roots; }
  bool is_below_root(const std::string& path) const;
  /// Whether such a file exists on this machine.
  bool is_here(const std::string& path) const;
  /// Those of `paths` that exist here, each file once.
  Places present(const std::vector<std::string>& paths) const;
  /// Candidate files of `name` when the report does not tell its folder: those below the roots; else below the current
  /// folder, and the folders between it and the report. When none exists: its path in the current folder.
  Places places(const std::string& name) const;

  /// Data of the file that `name` means, if it fits one place. Null: it fits several, which is noted. An empty name has
  /// data that finish() removes.
  ImportedFile* file(const std::string& name, const Places& places);
  ImportedFile* file(const std::string& name) { return file(name, places(name)); }
  /// The same for a name within `module`. Names of two modules that fit the same file are ambiguous, too.
  ImportedFile* file(const std::string& name, const std::string& module, const Places& places);
  /// Removes the data of files that turned out to be ambiguous, or have no name. Lines of the latter are lost: the
  /// report counts as unread.
  void finish();

 private:
  const std::string report_;
  const InputOptions& options_;
  CoverageData& data_;
  std::map<std::string, std::string> modules_;  // [path of a file] -> its module
  std::vector<std::string> doubtful_;           // paths
  ImportedFile nameless_;                       // of all files without a name
};

/// Reduces several places to those that satisfy `fits`, if there are any.
void narrow(Places& places, const std::function<bool(const std::string& path)>& fits);

/// Whether `path` is in a folder whose path ends with `folder`: "/p/app/a.py" and "app".
bool is_in_folder(const std::string& path, const std::string& folder);

}  // namespace qd::report
