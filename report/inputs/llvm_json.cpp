// JSON of `llvm-cov export`. Its lists are
//
//   segment  [line, column, count, has a count, is the entry of a region, is a gap]
//   branch   [line, column, end line, end column, times true, times false, file, expanded file, kind]
//   region   [line, column, end line, end column, count, file, expanded file, kind]
//
// Lines are counted as in llvm-cov's LineCoverageStats: a line is mapped when a counted region begins on it, or
// continues into it.
#include "report/inputs/llvm_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "report/data/function_names.h"
#include "report/inputs/input_file.h"
#include "report/inputs/json_values.h"

namespace qd::report {

using nlohmann::json;

namespace {

struct Segment {
  int32_t line = 0, column = 0;
  uint64_t count = 0;
  bool has_count = false, is_entry = false, is_gap = false;
};

/// Line number, from 1. Throws for 0, because then the following ones are doubtful.
int32_t first_line_of(const json& value) {
  int32_t line = line_of(value);
  if (line == 0) throw JsonShapeError("'0' is no line");
  return line;
}

std::vector<Segment> segments_of(const json& file) {
  std::vector<Segment> segments;
  for (const json& s : list_of(file, "segments")) {
    Segment segment{first_line_of(element(s, 0)), line_of(element(s, 1)),  count_of(element(s, 2)),
                    truth_of(element(s, 3)),      truth_of(element(s, 4)), false};
    if (s.size() > 5) segment.is_gap = truth_of(s[5]);
    if (!segments.empty() && segment.line < segments.back().line) throw JsonShapeError("segments are not in order");
    segments.push_back(segment);
  }
  return segments;
}

/// Adds the lines that `segments` map.
void add_lines(const std::vector<Segment>& segments, std::vector<ImportedLine>& lines) {
  const Segment* wrapping = nullptr;  // the last segment of the lines before
  auto starts = [](const Segment& s) { return !s.is_gap && s.has_count && s.is_entry; };
  for (size_t next = 0; next < segments.size();) {
    int32_t line = segments[next].line;
    size_t first = next;
    while (next < segments.size() && segments[next].line == line) ++next;
    auto begin = segments.begin() + static_cast<ptrdiff_t>(first),
         end = segments.begin() + static_cast<ptrdiff_t>(next);
    bool starts_here = std::any_of(begin, end, starts);
    bool skipped = !begin->has_count && begin->is_entry;
    bool mapped = (!skipped && ((wrapping && wrapping->has_count) || starts_here)) ||
                  std::any_of(begin, end, [](const Segment& s) { return s.is_entry && s.has_count; });
    if (mapped) {
      uint64_t hits = wrapping ? wrapping->count : 0;
      for (auto s = begin; s != end; ++s)
        if (starts(*s)) hits = std::max(hits, s->count);
      lines.push_back({line, hits});
    }
    wrapping = &segments[next - 1];
    // Lines without a segment have the count of the segment before them.
    if (next < segments.size() && wrapping->has_count)
      for (int32_t between = line + 1; between < segments[next].line; ++between)
        lines.push_back({between, wrapping->count});
  }
}

/// Execution count of a place: that of the last segment before it.
uint64_t count_at(const std::vector<Segment>& segments, int32_t line, int32_t column) {
  auto after =
      std::upper_bound(segments.begin(), segments.end(), std::pair(line, column),
                       [](const auto& place, const Segment& s) { return place < std::pair(s.line, s.column); });
  return after == segments.begin() ? 0 : std::prev(after)->count;
}

/// Whether a condition is a constant: it was never evaluated although its place was reached. llvm-cov does not count it
/// either.
bool is_constant(const json& branch, uint64_t reached) {
  return reached > 0 && count_of(element(branch, 4)) == 0 && count_of(element(branch, 5)) == 0;
}

void add_branch(const json& branch, int32_t line, int32_t block, const std::string& where,
                std::vector<ImportedBranch>& branches) {
  uint64_t times[2] = {count_of(element(branch, 4)), count_of(element(branch, 5))};
  for (int32_t i = 0; i < 2; ++i) {
    ImportedBranch& added = branches.emplace_back();
    added.line = line;
    added.block = block;
    added.number = i;
    added.text = where + (i == 0 ? "true" : "false");
    if (times[0] > 0 || times[1] > 0) added.taken = times[i];
  }
}

/// A region of a function that counts lines.
struct Region {
  int32_t line = 0, column = 0, end_line = 0;
  uint64_t count = 0;
  bool is_gap = false;
};

/// Lines of a function by its regions: a line has the count of the innermost region that continues into it, or of one
/// that begins on it, if that is larger.
std::vector<ImportedLine> lines_of(const json& regions, const json& file) {
  constexpr int kExpansion = 1, kSkipped = 2, kGap = 3;
  std::vector<Region> all;
  for (const json& r : regions) {
    const int32_t kind = line_of(element(r, 7));
    if (element(r, 5) != file || kind == kExpansion || kind == kSkipped || kind > kGap) continue;
    all.push_back({first_line_of(element(r, 0)), line_of(element(r, 1)), line_of(element(r, 2)),
                   count_of(element(r, 4)), kind == kGap});
  }
  std::sort(all.begin(), all.end(),
            [](const Region& a, const Region& b) { return std::tie(a.line, a.column) < std::tie(b.line, b.column); });
  std::vector<ImportedLine> lines;
  std::vector<const Region*> open;  // regions that began on earlier lines, the innermost last
  auto next = all.begin();
  if (all.empty()) return lines;
  const int32_t first = all.front().line;
  int32_t last = first;
  for (const Region& region : all) last = std::max(last, std::min(region.end_line, kMaxImportedLine));
  for (int32_t line = first; line <= last; ++line) {
    std::erase_if(open, [&](const Region* region) { return region->end_line < line; });
    uint64_t hits = open.empty() ? 0 : open.back()->count;
    bool mapped = !open.empty();
    for (; next != all.end() && next->line == line; ++next) {
      open.push_back(&*next);
      if (next->is_gap) continue;
      mapped = true;
      hits = std::max(hits, next->count);
    }
    if (mapped) lines.push_back({line, hits});
  }
  return lines;
}

}  // namespace

void LlvmJson::add_file(const json& file) {
  std::string name = text_of(file, "filename");
  if (name.empty()) input_.skip("", "a file has no name");
  if (!file.contains("segments")) throw JsonShapeError("it has no lines: it was made with -summary-only");
  ImportedFile& result = files_[name];
  std::vector<Segment> segments = segments_of(file);
  add_lines(segments, result.lines);
  for (const json& branch : optional_list_of(file, "branches")) {
    const int32_t line = line_of(element(branch, 0), input_, name), column = line_of(element(branch, 1), input_, name);
    if (line == 0) continue;
    if (!is_constant(branch, count_at(segments, line, column))) add_branch(branch, line, column, "", result.branches);
  }
  // Branches in a macro belong to the line that uses it.
  for (const json& expansion : optional_list_of(file, "expansions")) {
    const json& source = member(expansion, "source_region");
    const int32_t line = line_of(element(source, 0), input_, name), column = line_of(element(source, 1), input_, name);
    if (line == 0) continue;
    for (const json& branch : optional_list_of(expansion, "branches"))
      if (!is_constant(branch, count_of(element(source, 4))))
        add_branch(branch, line, column, fmt::format("{}:{} ", element(branch, 0).dump(), element(branch, 1).dump()),
                   result.branches);
  }
}

void LlvmJson::add_function(const json& function) {
  const json& regions = list_of(function, "regions");
  const json& names = list_of(function, "filenames");
  if (regions.empty()) return;
  const json& body = regions[0];
  auto index = static_cast<size_t>(line_of(element(body, 5)));
  const json& name = element(names, index);
  if (!name.is_string()) throw JsonShapeError("'filenames' holds a value that is no text");
  const auto file_name = name.get<std::string>();
  const int32_t first = line_of(element(body, 0), input_, file_name),
                last = line_of(element(body, 2), input_, file_name);
  if (first == 0) return;
  ImportedFunction& added = functions_[file_name].emplace_back();
  added.first_line = first;
  added.last_line = last;
  added.name = demangled(text_of(function, "name"));
  added.hits = count_of(member(function, "count"));
  if (may_be_instance(added.name)) added.lines = lines_of(regions, element(body, 5));
}

void LlvmJson::move_to(FileNames& names, const std::string& source) {
  for (auto& [name, file] : files_) {
    if (auto found = functions_.find(name); found != functions_.end()) file.functions = std::move(found->second);
    file.sources.insert(source);
    file.settle();
    if (ImportedFile* target = names.file(name)) target->merge(file);
  }
}

}  // namespace qd::report
