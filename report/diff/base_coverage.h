// Comparison with a base report: coverage that was lost and gained, on unchanged lines too.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/diff/base_categories.h"
#include "report/diff/categorize.h"
#include "report/diff/diff_coverage.h"
#include "report/inputs/coverage_json.h"

namespace qd::report {

/// Input of a comparison with a base report.
struct BaseInput {
  std::string name;  // of the file, for messages
  CoverageJson report;
  std::string root;                  // the top of the working tree
  std::string commit;                // of the report: recorded in it, else assumed unless sources disagree
  std::vector<ChangedFile> changes;  // from that commit to the working tree, with all lines
  std::function<std::string(const std::string& name)> path_of;  // absolute path of a name in the report
  std::function<bool(const std::string& path)> wanted;          // whether a file is reported on at all; empty: all are
};

/// Compares file by file; finish() adds the remaining files of the base.
class BaseComparison {
 public:
  /// Asks git for the old sources of changed files, once. Throws GitError.
  BaseComparison(BaseInput input, const DiffCoverageOptions& options);
  ~BaseComparison();

  /// Comparison of one file, and its source if coverage was lost.
  struct Compared {
    std::string base_path;  // path in the base; empty when the base does not have the file
    std::string left_out;   // reason why it can't be compared; empty when it can
    bool in_tree = true;    // it is below the top of the working tree
    BaseFile file;
    DiffFile shown;  // with `lost` and the source
  };
  /// Compares one file. Thread-safe. The analysis was made of `data` and `contexts`.
  Compared compare(const Analysis& analysis, const std::string& text, const FileData& data,
                   const std::vector<std::string>& contexts) const;
  void add(Compared&& compared);

  /// Adds files that only the base has, and moves everything into `coverage`. `now` is the sum of the analyses;
  /// `has_branches`: whether they have branches.
  void finish(const Numbers& now, bool has_branches, DiffCoverage& coverage);

 private:
  struct Old;
  const Old* old_of(const std::string& path) const;
  std::string why_not(const Old& old, const std::string& path, const Analysis& analysis, FollowedLines& lines) const;
  std::string misfit_of(const CoverageJsonFile& file, const std::string& bytes, int python_minor) const;
  std::string misfit_of_either(const CoverageJsonFile& file, const SourceAnalysis& source,
                               const std::function<std::string()>& bytes) const;
  Analysis analyze_unmeasured(const std::string& absolute, const std::string& path, std::string& text) const;
  void leave_out_elsewhere(const std::string& path);
  void add_rest();
  void note_left_out(DiffCoverage& coverage) const;

  BaseInput input_;
  const DiffCoverageOptions& options_;
  std::string canonical_root_;
  std::map<std::string, Old> olds_;                    // [path in the base]
  std::map<std::string, const ChangedFile*> changes_;  // [present path]
  std::set<std::string> tracked_;
  std::set<std::string> seen_;  // paths in the base
  std::vector<BaseFile> files_;
  std::vector<DiffFile> lost_;
  std::map<std::string, std::string> left_out_;
  std::vector<std::string> untracked_;  // left out, but not a failure
  Numbers unmeasured_;                  // of files that the base has, and the data has not
};

}  // namespace qd::report
