// Categorisation: searches for each present statement in the base. The remaining ones of the base are excluded or
// deleted.
#include "report/diff/categorize.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/analysis/analysis_parts.h"

namespace qd::report {
namespace {

/// Whether the base lists executed lines that are no statements, as coverage.py before 7.6.2 does.
bool lists_more(const CoverageJsonFile& base) {
  return static_cast<int64_t>(base.executed.size()) > base.covered_lines;
}

class Categorizer {
 public:
  Categorizer(const CoverageJsonFile* base, const FollowedLines& lines, const Analysis& analysis, BaseFile& result)
      : base_(base), lines_(lines), analysis_(analysis), source_(analysis.source), result_(result) {}

  void statements() {
    std::set<int32_t> taken;
    for (int32_t line : source_.statements) {
      bool covered = std::ranges::binary_search(analysis_.executed, line);
      std::optional<int32_t> old = unchanged(line);
      if (old) taken.insert(*old);
      put(!old ? (covered ? Category::GNC : Category::UNC) : now(was(*old), covered), line);
    }
    if (!base_) return;
    for (int32_t line : base_->executed)
      if (was(line) == Was::Covered && !taken.contains(line)) rest(line, true);
    for (int32_t line : base_->missing)
      if (!taken.contains(line)) rest(line, false);
  }

  void branches() {
    AnalysisParts parts(analysis_);
    AnalysisPart whole;
    parts.cut({{1, std::numeric_limits<int32_t>::max()}}, whole);
    std::set<Arc> taken;
    for (bool covered : {true, false})
      for (Arc arc : covered ? whole.executed_branches : whole.missing_branches) {
        std::optional<Arc> old = unchanged(arc);
        if (old) taken.insert(*old);
        Was before = old && base_ ? was(*old) : Was::Nothing;
        put(!old ? (covered ? Category::GNC : Category::UNC) : now(before, covered), arc);
      }
    if (!base_) return;
    for (bool covered : {true, false})
      for (Arc arc : covered ? base_->executed_branches : base_->missing_branches) {
        if (taken.contains(arc)) continue;
        std::optional<int32_t> from = survivor(arc.from), to = lines_.tracker.new_line(std::abs(arc.to));
        if (from && to)
          put(covered ? Category::ECB : Category::EUB, Arc{*from, arc.to < 0 ? -*to : *to});
        else
          put(covered ? Category::DCB : Category::DUB, arc);
      }
    for (auto& arcs : result_.branches) std::sort(arcs.begin(), arcs.end());
  }

 private:
  enum class Was : uint8_t { Nothing, Covered, Missing };

  static Category now(Was was, bool covered) {
    if (was == Was::Covered) return covered ? Category::CBC : Category::LBC;
    if (was == Was::Missing) return covered ? Category::GBC : Category::UBC;
    return covered ? Category::GIC : Category::UIC;
  }

  void put(Category category, int32_t line) { result_.lines[static_cast<size_t>(category)].push_back(line); }
  void put(Category category, Arc arc) { result_.branches[static_cast<size_t>(category)].push_back(arc); }

  Was was(int32_t old) const {
    if (!base_) return Was::Nothing;
    if (std::ranges::binary_search(base_->missing, old)) return Was::Missing;
    return std::ranges::binary_search(base_->executed, old) && !std::ranges::binary_search(base_->excluded, old)
               ? Was::Covered
               : Was::Nothing;
  }
  Was was(Arc old) const {
    if (std::ranges::binary_search(base_->missing_branches, old)) return Was::Missing;
    return std::ranges::binary_search(base_->executed_branches, old) ? Was::Covered : Was::Nothing;
  }

  /// Last physical line of the logical line that begins at `first`.
  int32_t last_line(int32_t first) const {
    auto i = static_cast<size_t>(first);
    return !analysis_.imported && i < source_.last_line.size() ? std::max(first, source_.last_line[i]) : first;
  }

  /// Line of an unchanged statement in the base; nothing when it changed.
  std::optional<int32_t> unchanged(int32_t first) const {
    if (lines_.all_new || lines_.tracker.touched(first, last_line(first))) return std::nullopt;
    return lines_.tracker.old_line(first);
  }

  std::optional<Arc> unchanged(Arc arc) const {
    std::optional<int32_t> from = unchanged(arc.from), to = lines_.tracker.old_line(std::abs(arc.to));
    // The exit of a module has the number of the module's first line, even if that line changes.
    if (from && !to && arc.to == -1) to = 1;
    if (!from || !to) return std::nullopt;
    return Arc{*from, arc.to < 0 ? -*to : *to};
  }

  /// Present line of an old line, if its logical line is unchanged.
  std::optional<int32_t> survivor(int32_t old) const {
    std::optional<int32_t> line = lines_.all_new ? std::nullopt : lines_.tracker.new_line(old);
    if (!line) return std::nullopt;
    int32_t first = *line;
    if (!analysis_.imported) {
      if (*line > source_.n_lines) return std::nullopt;
      first = source_.logical_line(*line);
    }
    if (lines_.tracker.touched(first, last_line(first))) return std::nullopt;
    return line;
  }

  /// Adds a statement of the base that has no counterpart now.
  void rest(int32_t old, bool covered) {
    std::optional<int32_t> line = survivor(old);
    if (!line) return put(covered ? Category::DCB : Category::DUB, old);
    if (covered && lists_more(*base_) && !std::ranges::binary_search(source_.excluded, *line))
      return;  // it never was a statement
    put(covered ? Category::ECB : Category::EUB, *line);
  }

  const CoverageJsonFile* base_;
  const FollowedLines& lines_;
  const Analysis& analysis_;
  const SourceAnalysis& source_;
  BaseFile& result_;
};

}  // namespace

void categorize(const CoverageJsonFile* base, const FollowedLines& lines, const Analysis& analysis, bool branches,
                BaseFile& result) {
  Categorizer categorizer(base, lines, analysis, result);
  categorizer.statements();
  if (branches && analysis.has_arcs && !analysis.imported) categorizer.branches();
}

std::string misfit(const CoverageJsonFile& base, const SourceAnalysis& source) {
  auto may_be_statement = [&](int32_t line) {
    return std::ranges::binary_search(source.statements, line) || std::ranges::binary_search(source.excluded, line);
  };
  for (int32_t line : base.missing)
    if (!may_be_statement(line)) return fmt::format("line {} is no statement there", line);
  for (int32_t line : base.executed)
    if (!may_be_statement(line) && (!lists_more(base) || line > source.n_lines || source.logical_line(line) != line))
      return fmt::format("line {} is no statement there", line);
  for (int32_t line : source.statements)
    if (!std::ranges::binary_search(base.executed, line) && !std::ranges::binary_search(base.missing, line) &&
        !std::ranges::binary_search(base.excluded, line))
      return fmt::format("line {} is a statement there, and the report has none", line);
  return "";
}

}  // namespace qd::report
