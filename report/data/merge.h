// Merger: adds many inputs to measured data.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

/// Union of sorted lists of arcs.
void merge_arcs(std::vector<Arc>& arcs, std::vector<Arc> more);

/// CoverageData::update() for many inputs. It caches the look-ups of names.
class Merger {
 public:
  /// `into` must outlive it, and nothing else may change it meanwhile.
  Merger(CoverageData& into, std::function<std::string(const std::string&)> map_path, bool mixed);

  /// Adds an input as CoverageData::update() does. Marks data without a version that is older than its source.
  void add(CoverageData other);

 private:
  struct Target {
    std::string path;
    FileData* data;  // null: not in `into_` yet
    bool is_changed_at_known = false;
    std::optional<int64_t> changed_at = std::nullopt;  // its source
  };
  /// Notes files of `other` that exist here and get the same name.
  void note_joined(const CoverageData& other);
  Target& target_of(const std::string& file);
  ContextId context_id(const std::string& context);

  CoverageData& into_;
  std::function<std::string(const std::string&)> map_path_;
  bool mixed_;
  std::unordered_map<std::string, Target> targets_;  // by the name in the input
  std::unordered_map<std::string, ContextId> contexts_;
};

}  // namespace qd::report
