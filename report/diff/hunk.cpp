// Hunk parser. The head of a hunk has the numbers of lines. '-', '+' and ' ' tell the file of a line.
#include "report/diff/hunk.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace qd::report {
namespace {

constexpr int32_t kMaxLine = 1'000'000'000;

struct Range {
  int32_t start = 0;
  int32_t count = 1;
};

// Range of a hunk's head: "2,3" or "2".
Range parse_range(std::string_view text, std::string_view line) {
  Range range;
  const char* end = text.data() + text.size();
  auto [after, error] = std::from_chars(text.data(), end, range.start);
  if (error != std::errc()) throw_unexpected(line);
  if (after != end) {
    if (*after != ',') throw_unexpected(line);
    auto [last, count_error] = std::from_chars(after + 1, end, range.count);
    if (count_error != std::errc() || last != end) throw_unexpected(line);
  }
  if (range.start < (range.count == 0 ? 0 : 1) || range.count < 0 || range.start > kMaxLine || range.count > kMaxLine)
    throw_unexpected(line);
  if (range.count == 0) ++range.start;  // git names the line before
  return range;
}

/// A run of lines that were replaced by others, with no unchanged line between them.
struct Run {
  int32_t old_first = 1, new_first = 1;
  std::vector<std::string_view> old_lines, new_lines;
  bool old_open = false, new_open = false;  // the last line ends the file without a line end

  void add_to(ChangedFile& file) const;
};

void Run::add_to(ChangedFile& file) const {
  auto add = [&](size_t old_from, size_t old_to, size_t new_from, size_t new_to) {
    file.add({old_first + static_cast<int32_t>(old_from), static_cast<int32_t>(old_to - old_from),
              new_first + static_cast<int32_t>(new_from), static_cast<int32_t>(new_to - new_from)});
  };
  // git distinguishes a last line without line end from the same text with one; as source, both are the same line.
  size_t old_same = old_lines.size();
  size_t new_same = new_lines.size();
  if (new_open && !new_lines.empty()) {
    auto same = std::find(old_lines.begin(), old_lines.end(), new_lines.back());
    if (same != old_lines.end()) {
      old_same = static_cast<size_t>(same - old_lines.begin());
      new_same = new_lines.size() - 1;
    }
  }
  if (old_open && !old_lines.empty() && new_same == new_lines.size()) {
    auto same = std::find(new_lines.rbegin(), new_lines.rend(), old_lines.back());
    if (same != new_lines.rend()) {
      old_same = old_lines.size() - 1;
      new_same = static_cast<size_t>(new_lines.rend() - same) - 1;
    }
  }
  add(0, old_same, 0, new_same);
  if (old_same < old_lines.size()) add(old_same + 1, old_lines.size(), new_same + 1, new_lines.size());
}

}  // namespace

void throw_unexpected(std::string_view line) {
  throw std::runtime_error(fmt::format("Can't read the diff at: {}", line.substr(0, 200)));
}

void ChangedFile::add(const ChangedSpan& span) {
  if (span.n_old == 0 && span.n_new == 0) return;
  spans.push_back(span);
  if (span.n_new == 0) removed_after.push_back(span.new_first - 1);
  for (int32_t i = 0; i < span.n_new; ++i) added.push_back(span.new_first + i);
}

void parse_hunk(TextLines& lines, ChangedFile* file, const SeenLine& seen, const SeenLine& removed) {
  std::string_view head = lines.next();  // @@ -OLD +NEW @@
  size_t old_at = head.find('-');
  size_t new_at = head.find('+');
  size_t end = head.find(" @@", 3);
  if (old_at == std::string_view::npos || new_at == std::string_view::npos || end == std::string_view::npos ||
      old_at + 2 > new_at || new_at > end)
    throw_unexpected(head);
  Range old_left = parse_range(head.substr(old_at + 1, new_at - old_at - 2), head);
  Range new_left = parse_range(head.substr(new_at + 1, end - new_at - 1), head);

  if (file != nullptr && !file->spans.empty()) {
    const ChangedSpan& last = file->spans.back();
    if (new_left.start < last.new_first + last.n_new) throw_unexpected(head);
  }
  Run run{old_left.start, new_left.start, {}, {}};
  auto finish_run = [&] {
    if (file != nullptr) run.add_to(*file);
    run = Run{old_left.start, new_left.start, {}, {}};
  };
  auto take = [](Range& range, std::string_view line) {
    if (range.count == 0) throw_unexpected(line);
    --range.count;
    ++range.start;
  };
  auto marker = [&] { return lines.peek().starts_with('\\') && !lines.next().empty(); };
  while (old_left.count > 0 || new_left.count > 0) {
    if (lines.done()) throw_unexpected(head);
    std::string_view line = lines.next();
    char kind = line.empty() ? ' ' : line[0];  // some tools write an empty line of both files without its space
    std::string_view text = line.substr(line.empty() ? 0 : 1);
    if (kind != '-' && kind != '+' && kind != ' ') throw_unexpected(line);
    if (kind == '-' && !run.new_lines.empty()) finish_run();
    if (kind == ' ') finish_run();
    if (kind != '+') take(old_left, line);
    if (kind != '-') {
      if (seen) seen(new_left.start, text);
      take(new_left, line);
    }
    if (kind == '-') {
      if (removed) removed(run.new_first + static_cast<int32_t>(run.old_lines.size()), text);
      run.old_lines.push_back(text);
    }
    if (kind == '+') run.new_lines.push_back(text);
    bool open = marker();
    if (kind == ' ') run = Run{old_left.start, new_left.start, {}, {}};
    if (kind == '-') run.old_open = open;
    if (kind == '+') run.new_open = open;
  }
  finish_run();
}

}  // namespace qd::report
