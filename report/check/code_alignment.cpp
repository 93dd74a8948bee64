// Code alignment: the longest common subsequence of lines, by a table; for very long spans, the next equal line.
#include "report/check/code_alignment.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

namespace qd::report {
namespace {

constexpr size_t kMaxTable = 4'000'000;

std::span<const CodeLine> part(const std::vector<CodeLine>& code, int32_t first, int32_t n) {
  auto before = [](const CodeLine& line, int32_t wanted) { return line.line < wanted; };
  auto begin = std::lower_bound(code.begin(), code.end(), first, before);
  return {begin, std::lower_bound(begin, code.end(), first + n, before)};
}

void by_table(std::span<const CodeLine> a, std::span<const CodeLine> b, std::vector<int32_t>& map) {
  size_t width = b.size() + 1;
  std::vector<int32_t> best((a.size() + 1) * width, 0);  // [i, j]: longest common subsequence of a from i and b from j
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      best[i * width + j] = a[i].key == b[j].key ? best[(i + 1) * width + j + 1] + 1
                                                 : std::max(best[(i + 1) * width + j], best[i * width + j + 1]);
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].key == b[j].key)
      map[static_cast<size_t>(a[i++].line)] = b[j++].line;
    else if (best[(i + 1) * width + j] >= best[i * width + j + 1])
      ++i;
    else
      ++j;
  }
}

void by_next(std::span<const CodeLine> a, std::span<const CodeLine> b, std::vector<int32_t>& map) {
  std::map<std::string_view, std::vector<size_t>> places;
  for (size_t j = 0; j < b.size(); ++j) places[b[j].key].push_back(j);
  size_t next = 0;
  for (const CodeLine& line : a) {
    auto found = places.find(line.key);
    if (found == places.end()) continue;
    auto place = std::lower_bound(found->second.begin(), found->second.end(), next);
    // A far line that occurs several times would leave no lines for the code in between.
    if (place == found->second.end() || (found->second.size() > 1 && *place > next + 100)) continue;
    map[static_cast<size_t>(line.line)] = b[*place].line;
    next = *place + 1;
  }
}

}  // namespace

std::vector<int32_t> align_code(const SourceComments& old_source, const SourceComments& new_source,
                                const std::vector<ChangedSpan>& spans) {
  std::vector<int32_t> map(static_cast<size_t>(old_source.n_lines) + 2, 0);
  int32_t old_line = 1, shift = 0;
  auto copy_until = [&](int32_t end) {
    for (; old_line < end && old_line <= old_source.n_lines; ++old_line)
      map[static_cast<size_t>(old_line)] = old_line + shift;
  };
  for (const ChangedSpan& span : spans) {
    copy_until(span.old_first);
    std::span<const CodeLine> a = part(old_source.code, span.old_first, span.n_old),
                              b = part(new_source.code, span.new_first, span.n_new);
    if ((a.size() + 1) * (b.size() + 1) <= kMaxTable)
      by_table(a, b, map);
    else
      by_next(a, b, map);
    old_line = span.old_first + span.n_old;
    shift = span.new_first + span.n_new - old_line;
  }
  copy_until(old_source.n_lines + 1);
  return map;
}

}  // namespace qd::report
