// The files that names in reports mean. A report names a file by an absolute path, or by one that begins in a folder
// which the report tells badly or not at all: then several files of the project may fit.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

/// What is known of a project by those who read reports of it.
struct InputOptions {
  /// Folders that relative names begin in: Java's packages, paths of a build in a folder below. Empty: the usual ones.
  std::vector<std::string> roots = {};
  /// [paths]: where a file of another machine is here. May be empty.
  std::function<std::string(const std::string&)> map_path = {};
};

/// Files that a name fits: absolute paths, each file once.
using Places = std::vector<std::string>;

class FileNames {
 public:
  /// For the report in the file `report`. `options` and `data` outlive it.
  FileNames(std::string report, const InputOptions& options, CoverageData& data);

  const std::vector<std::string>& roots() const { return options_.roots; }
  bool is_below_root(const std::string& path) const;
  /// Whether there is such a file, on this machine.
  bool is_here(const std::string& path) const;
  /// Those of `paths` that are here, each file once.
  Places present(const std::vector<std::string>& paths) const;
  /// The files that `name` fits when the report says nothing of its folder: those below the roots; else below the
  /// current folder, and the folders between it and the report. When there is none: where it would be.
  Places places(const std::string& name) const;

  /// The file to which belongs what the report says of `name`, when that fits one place. Null: it fits several, and
  /// that is noted.
  ImportedFile* file(const std::string& name, const Places& places);
  ImportedFile* file(const std::string& name) { return file(name, places(name)); }
  /// The same for a name within `module`. Names of two modules that fit the same file are ambiguous, too.
  ImportedFile* file(const std::string& name, const std::string& module, const Places& places);
  /// Takes back what was added to files that turned out to be ambiguous.
  void finish();

 private:
  const std::string report_;
  const InputOptions& options_;
  CoverageData& data_;
  std::map<std::string, std::string> modules_;  // of files, by path
  std::vector<std::string> doubtful_;           // paths
};

/// Leaves those of several places which `fits`, if there are any.
void narrow(Places& places, const std::function<bool(const std::string& path)>& fits);

/// Whether `path` is in a folder whose path ends with `folder`: "/p/app/a.py" and "app".
bool is_in_folder(const std::string& path, const std::string& folder);

}  // namespace qd::report
