// Regions of lines: each line gets the innermost function that has it, and the innermost class that has such a method.
#include "report/analysis/source/regions.h"

#include <algorithm>

#include "report/analysis/source/tree_walk.h"

namespace qd::report {

using namespace syntax;

namespace {

constexpr size_t kNoRegion = SIZE_MAX;

class RegionFinder {
 public:
  explicit RegionFinder(int32_t n_lines)
      : functions_(static_cast<size_t>(n_lines) + 2, kNoRegion), classes_(functions_) {}

  std::vector<CodeRegion> find(const Module& module) {
    suite(module.body, kNoRegion, "");
    for (const std::vector<size_t>* owners : {&functions_, &classes_})
      for (size_t line = 0; line < owners->size(); ++line)
        if ((*owners)[line] != kNoRegion) regions_[(*owners)[line]].lines.push_back(static_cast<int32_t>(line));
    return std::move(regions_);
  }

 private:
  /// Visits a suite. Its functions are methods of the class `parent`.
  void suite(List<StmtPtr> body, size_t parent, const std::string& prefix) {
    for (StmtPtr stmt : body) {
      if (auto* function = std::get_if<FunctionDef>(&stmt->node)) {
        size_t index = add(CodeRegion::Kind::Function, prefix, function->name, *stmt);
        int32_t first = function->body.front()->range.line, last = function->body.back()->range.end_line;
        paint(functions_, first, last, index);
        if (parent != kNoRegion) paint(classes_, first, last, parent);
        suite(function->body, kNoRegion, regions_[index].name + ".");
      } else if (auto* klass = std::get_if<ClassDef>(&stmt->node)) {
        size_t index = add(CodeRegion::Kind::Class, prefix, klass->name, *stmt);
        suite(klass->body, index, regions_[index].name + ".");
      } else if (auto* attempt = std::get_if<Try>(&stmt->node)) {  // coverage.py visits the handlers last
        for (List<StmtPtr> inner : {attempt->body, attempt->orelse, attempt->finalbody}) suite(inner, parent, prefix);
        for (const ExceptHandler& handler : attempt->handlers) suite(handler.body, parent, prefix);
      } else {
        for_each_suite(*stmt, [&](List<StmtPtr> inner) { suite(inner, parent, prefix); });
      }
    }
  }

  size_t add(CodeRegion::Kind kind, const std::string& prefix, std::string_view name, const Stmt& stmt) {
    regions_.push_back({kind, prefix + std::string(name), stmt.range.line, {}});
    return regions_.size() - 1;
  }

  static void paint(std::vector<size_t>& owners, int32_t first, int32_t last, size_t index) {
    for (int32_t line = first; line <= last && static_cast<size_t>(line) < owners.size(); ++line)
      owners[static_cast<size_t>(line)] = index;
  }

  std::vector<CodeRegion> regions_;
  std::vector<size_t> functions_, classes_;  // [line] -> region
};

}  // namespace

std::vector<CodeRegion> find_regions(const Module& module, int32_t n_lines) {
  return RegionFinder(n_lines).find(module);
}

}  // namespace qd::report
