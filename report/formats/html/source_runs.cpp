// Runs of lines. Lines are the first lines of statements; the page marks all lines of a statement as its first one.
#include "report/formats/html/source_runs.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/formats/common/text.h"
#include "report/formats/html/page_data.h"
#include "report/formats/html/source_json_parts.h"

namespace qd::report {
namespace {

void append_numbers(std::string& out, const std::vector<int64_t>& numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out += ',';
    append_number(out, numbers[i]);
  }
}

}  // namespace

void JsonRanges::take(int32_t line) {
  if (first_ == 0) first_ = line;
  last_ = line;
}

void JsonRanges::end_range() {
  if (first_ == 0) return;
  if (out_.back() != '[') out_ += ',';
  append_number(out_, first_);
  out_ += ',';
  append_number(out_, last_);
  first_ = 0;
}

void JsonRanges::finish() {
  end_range();
  out_ += ']';
}

std::vector<Origin> origins_of(const FileData& data, const std::vector<std::string>& contexts,
                               const std::vector<std::string>& more) {
  auto name_of = [](const std::string& arch) { return arch == kHostArch ? std::string() : arch; };  // host first
  std::map<std::string, std::set<ContextId>> archs;
  auto add = [&](ContextId context) { archs[name_of(named_arch(contexts[context]))].insert(context); };
  for (const std::string& arch : more) archs[name_of(arch)];
  for (const auto& [context, lines] : data.lines) add(context);
  for (const auto& [context, arcs] : data.arcs) add(context);
  for (const auto& [range, decision] : data.decisions)
    for (const auto& [context, evaluations] : decision.evaluations) add(context);
  std::vector<Origin> origins;
  for (const auto& [arch, its_contexts] : archs) {
    if (origins.size() == 31) break;
    origins.push_back({arch.empty() ? kHostArch : arch, {its_contexts.begin(), its_contexts.end()}});
  }
  return origins;
}

std::vector<bool> SourceRuns::statements_run(std::span<const ContextId> contexts) const {
  std::vector<bool> seen(n_lines_ + 1);
  auto mark = [&](int32_t line) {
    if (!is_line(line)) return;
    int32_t first = source_.logical_line(line);
    if (is_line(first)) seen[static_cast<size_t>(first)] = true;
  };
  for (ContextId context : contexts) {
    if (auto found = data_.lines.find(context); found != data_.lines.end())
      for (int32_t line : found->second.lines()) mark(line);
    if (auto found = data_.arcs.find(context); found != data_.arcs.end())
      for (const Arc& arc : found->second) {
        mark(arc.from);
        mark(arc.to);
      }
  }
  return seen;
}

void SourceRuns::append_statements(std::string& out, const std::vector<bool>& seen) const {
  JsonRanges ranges(out);
  for (int32_t line : source_.statements) {
    if (is_line(line) && seen[static_cast<size_t>(line)])
      ranges.take(line);
    else
      ranges.end_range();
  }
  ranges.finish();
}

bool SourceRuns::append_origins(std::string& out, const std::vector<Origin>& origins) const {
  bool any_kernel = false;
  out += '[';
  for (const Origin& origin : origins) {
    if (&origin != &origins.front()) out += ',';
    append_script_json(out, visible(origin.name));
  }
  out += "],\"ran\":[";
  for (const Origin& origin : origins) {
    if (&origin != &origins.front()) out += ',';
    std::vector<bool> seen = statements_run(origin.contexts);
    append_statements(out, seen);
    if (origin.name == kHostArch) continue;
    any_kernel = any_kernel || std::any_of(source_.statements.begin(), source_.statements.end(), [&](int32_t line) {
                   return is_line(line) && seen[static_cast<size_t>(line)];
                 });
  }
  out += ']';
  return any_kernel;
}

int64_t SourceRuns::append_contexts(std::string& out, const std::vector<Arc>& edges,
                                    const SourceEvaluations& evaluated) const {
  std::vector<std::pair<Arc, int64_t>> numbers;
  for (size_t i = 0; i < edges.size(); ++i) numbers.emplace_back(edges[i], static_cast<int64_t>(i));
  std::sort(numbers.begin(), numbers.end());
  int64_t n = 0;
  auto add = [&](ContextId context) {
    std::string lines;
    append_statements(lines, statements_run({&context, 1}));
    std::vector<int64_t> evaluations = evaluated.of_context(context);
    if (lines == "[]" && evaluations.empty()) return;
    out += n++ == 0 ? "{\"runs\":[[" : ",[";
    append_number(out, context);
    out += "," + lines + ",[";
    if (auto found = data_.arcs.find(context); found != data_.arcs.end() && !numbers.empty()) {
      std::vector<int64_t> taken;
      for (const Arc& arc : executed_arcs(source_, found->second)) {
        auto edge = std::lower_bound(numbers.begin(), numbers.end(), std::pair<Arc, int64_t>(arc, 0));
        if (edge != numbers.end() && edge->first == arc) taken.push_back(edge->second);
      }
      std::sort(taken.begin(), taken.end());
      taken.erase(std::unique(taken.begin(), taken.end()), taken.end());
      append_numbers(out, taken);
    }
    out += ']';
    if (!evaluations.empty()) {
      out += ",[";
      append_numbers(out, evaluations);
      out += ']';
    }
    out += ']';
  };
  std::set<ContextId> contexts;
  for (const auto& [context, lines] : data_.lines) contexts.insert(context);
  for (const auto& [context, arcs] : data_.arcs) contexts.insert(context);
  for (const auto& [range, decision] : data_.decisions)
    for (const auto& [context, evaluations] : decision.evaluations) contexts.insert(context);
  for (ContextId context : contexts) add(context);
  if (n > 0) out += "]}";
  return n;
}

}  // namespace qd::report
