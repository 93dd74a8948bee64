// Inference of arcs from lines that ran, and from the possible arcs between them.
#include "report/analysis/inferred_arcs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

#include "report/analysis/source/line_set.h"

namespace qd::report {

namespace {

constexpr int32_t kModule = -1;  // entry and exit of the module, and of a function on its first line

/// Functions of a source, by their lines.
class Functions {
 public:
  explicit Functions(const SourceAnalysis& source) : first_(static_cast<size_t>(source.n_lines) + 1), exits_(first_) {
    std::iota(first_.begin(), first_.end(), 0);
    for (const Arc& arc : source.arcs)
      if (is_line(arc.from) && is_line(arc.to)) join(arc.from, arc.to);
    std::ranges::fill(exits_, 0);
    for (const Arc& arc : source.arcs)
      if (is_line(arc.from) && arc.to < 0) {
        int32_t& exit = exits_[static_cast<size_t>(first_line(arc.from))];
        if (exit != kModule) exit = arc.to;
      }
  }

  /// First statement of the function with the line; 0 for lines of the module, and where no exit tells.
  int32_t entry_of(int32_t line) {
    if (!is_line(line)) return 0;
    const int32_t first = first_line(line), exit = exits_[static_cast<size_t>(first)];
    return exit == 0 || exit == kModule ? 0 : first;
  }

  bool is_line(int32_t line) const { return line > 0 && static_cast<size_t>(line) < first_.size(); }

  /// First statement of the function or module with the line.
  int32_t first_line(int32_t line) {
    while (first_[static_cast<size_t>(line)] != line) {
      int32_t& next = first_[static_cast<size_t>(line)];
      next = first_[static_cast<size_t>(next)];
      line = next;
    }
    return line;
  }

 private:
  void join(int32_t a, int32_t b) {
    a = first_line(a), b = first_line(b);
    first_[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
  }

  std::vector<int32_t> first_;  // [line] -> a line of the same function, at last its first one
  std::vector<int32_t> exits_;  // [first line] -> exit; 0: none
};

/// Possible ways of control along lines that ran.
class Ways {
 public:
  Ways(const SourceAnalysis& source, LineSet ran) : source_(source), ran_(std::move(ran)), reached_(source.n_lines) {}

  /// Whether control comes from a line to another, or to an exit (no value), without the arc `closed`.
  bool lead(int32_t from, std::optional<int32_t> to, const Arc& closed) {
    if (from == to) return true;
    reached_ = LineSet(source_.n_lines);
    next_.assign(1, from);
    while (!next_.empty()) {
      const int32_t line = next_.back();
      next_.pop_back();
      for (const Arc& arc : std::ranges::equal_range(source_.arcs, line, {}, &Arc::from)) {
        if (arc == closed) continue;
        if (to ? arc.to == *to : arc.to < 0) return true;
        if (arc.to < 0 || !ran_.contains(arc.to) || reached_.contains(arc.to)) continue;
        reached_.insert(arc.to);
        next_.push_back(arc.to);
      }
    }
    return false;
  }

 private:
  const SourceAnalysis& source_;
  const LineSet ran_;
  LineSet reached_;
  std::vector<int32_t> next_;
};

/// Lines that were measured by lines alone: `inner` in functions, `headers` those of a function's header and its body.
struct LinesAlone {
  LineSet inner, headers;
  bool any = false;
};

LinesAlone lines_alone(const SourceAnalysis& source, const std::vector<Arc>& measured) {
  LinesAlone result{LineSet(source.n_lines), LineSet(source.n_lines)};
  std::vector<int32_t> entered, left, both;
  for (const Arc& arc : measured) {
    if (arc.from == kModule && arc.to > 0) entered.push_back(source.logical_line(arc.to));
    if (arc.to == kModule && arc.from > 0) left.push_back(source.logical_line(arc.from));
  }
  std::ranges::sort(entered);
  std::ranges::sort(left);
  std::ranges::set_intersection(entered, left, std::back_inserter(both));
  if (both.empty()) return result;
  Functions functions(source);
  std::map<int32_t, int32_t> first_entered;  // by the first line of the function
  for (int32_t line : entered)
    if (functions.is_line(line)) first_entered.try_emplace(functions.first_line(line), line);
  for (int32_t line : both) {
    if (!functions.is_line(line)) continue;
    if (functions.entry_of(line) != 0)
      result.inner.insert(line);
    else if (first_entered[functions.first_line(line)] < line)  // the module itself is entered in one line
      result.headers.insert(line);
    else
      continue;
    result.any = true;
  }
  return result;
}

}  // namespace

InferredArcs infer_arcs(const SourceAnalysis& source, const std::vector<Arc>& measured,
                        const std::vector<Arc>& executed) {
  InferredArcs result;
  const auto [inner, headers, any] = lines_alone(source, measured);
  if (!any) return result;
  Functions functions(source);
  LineSet ran(source.n_lines);
  for (const Arc& arc : executed) {
    if (arc.from > 0) ran.insert(arc.from);
    if (arc.to > 0) ran.insert(arc.to);
  }
  Ways ways(source, std::move(ran));
  for (const Arc& arc : source.arcs) {
    if (std::ranges::binary_search(executed, arc)) continue;
    if (headers.contains(arc.from) && arc.to < 0 && arc.to != kModule) {
      const auto ways = std::ranges::equal_range(source.arcs, arc.from, {}, &Arc::from);
      const auto bodies = std::ranges::count_if(ways, [](const Arc& way) { return way.to < 0 && way.to != kModule; });
      (bodies == 1 ? result.taken : result.unknown).push_back(arc);
    }
    if (!inner.contains(arc.from) || (arc.to > 0 && !inner.contains(arc.to))) continue;
    const bool only_way = !ways.lead(arc.from, std::nullopt, arc) ||
                          (arc.to > 0 && !ways.lead(functions.entry_of(arc.from), arc.to, arc));
    (only_way ? result.taken : result.unknown).push_back(arc);
  }
  return result;
}

}  // namespace qd::report
