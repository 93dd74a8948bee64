// Compares coverage with a base report: what was lost and gained, on unchanged lines too.
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

/// What is needed to compare with a base report.
struct BaseInput {
  std::string name;  // of the file, for messages
  CoverageJson report;
  std::string root;                  // the top of the working tree
  std::string commit;                // of the report: what it says, else what is believed unless sources disagree
  std::vector<ChangedFile> changes;  // from that commit to the working tree, with all lines
  std::function<std::string(const std::string& name)> path_of;  // of a name in the report: absolute
  std::function<bool(const std::string& path)> wanted;          // whether a file is reported on at all; empty: all are
};

/// Compares file by file; at the end says what became of the files of the base that were not met.
class BaseComparison {
 public:
  /// Asks git for the old sources of changed files, once. Throws GitError.
  BaseComparison(BaseInput input, const DiffCoverageOptions& options);
  ~BaseComparison();

  /// The comparison of one file, and its source if something was lost.
  struct Compared {
    std::string base_path;  // of the base; empty when that does not have the file
    std::string left_out;   // why it can't be compared; empty when it can
    bool in_tree = true;    // it is below the top of the working tree
    BaseFile file;
    DiffFile shown;  // with `lost` and the source
  };
  /// May run in several threads at once. `data` and `contexts` are what the analysis was made of.
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
  void add_rest();
  void note_left_out(DiffCoverage& coverage) const;

  BaseInput input_;
  const DiffCoverageOptions& options_;
  std::string canonical_root_;
  std::map<std::string, Old> olds_;                    // [path in the base]
  std::map<std::string, const ChangedFile*> changes_;  // [path now]
  std::set<std::string> tracked_;
  std::set<std::string> seen_;  // paths in the base
  std::vector<BaseFile> files_;
  std::vector<DiffFile> lost_;
  std::map<std::string, std::string> left_out_;
  std::vector<std::string> untracked_;  // left out, and nobody's fault
};

}  // namespace qd::report
