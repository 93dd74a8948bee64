// Check change-size: counts the lines of git's diff, except those that only got their line end.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/check/check.h"
#include "report/formats/common/text.h"

namespace qd::report {
namespace {

constexpr const char* kChangeSize = "change-size";
constexpr size_t kBinaryPrefix = 8000;  // bytes; git's limit for the search of a NUL

struct Size {
  int64_t files = 0, added = 0, deleted = 0;
  // Position of the largest change, for the finding.
  std::string path;
  int32_t line = 1;
  int64_t most = -1;

  int64_t lines() const { return added + deleted; }
};

/// Number of lines of a file that git does not track; 0 if it is binary.
int64_t untracked_lines(const CheckInput& input, const std::string& path) {
  std::string bytes = input.read(path).value_or("");
  if (bytes.substr(0, kBinaryPrefix).find('\0') != std::string::npos) return 0;
  return std::count(bytes.begin(), bytes.end(), '\n') + (!bytes.empty() && bytes.back() != '\n' ? 1 : 0);
}

void add_change(const CheckInput& input, const ChangedFile& file, Size& size) {
  ++size.files;
  int64_t added = 0, deleted = 0;
  for (const ChangedSpan& span : file.spans) {
    added += span.n_new;
    deleted += span.n_old;
  }
  if (file.kind == ChangeKind::Untracked && file.spans.empty()) added = untracked_lines(input, file.path);
  size.added += added;
  size.deleted += deleted;
  if (file.kind == ChangeKind::Deleted || added + deleted <= size.most) return;  // a deleted file has no line to show
  size.most = added + deleted;
  size.path = file.path;
  size.line = file.spans.empty()
                  ? 1
                  : std::max(1, file.spans[0].n_new > 0 ? file.spans[0].new_first : file.spans[0].new_first - 1);
}

void add_finding(const Size& size, std::string message, const Size& fallback, CheckReport& report) {
  const Size& where = size.path.empty() ? fallback : size;
  CheckFinding finding{kChangeSize, Severity::Warning, where.path, where.line, where.line, std::move(message), ""};
  if (where.path.empty()) finding.path = ".";
  finding.identity = finding.message.substr(0, finding.message.find(':'));
  report.findings.push_back(std::move(finding));
}

void check_most(const CheckInput& input, const char* setting, const char* what, const Size& size, const Size& all,
                CheckReport& report) {
  std::optional<int64_t> most = input.settings.count(setting);
  if (!most || size.lines() <= *most) return;
  std::string where = size.path.empty() || size.most == size.lines()
                          ? ""
                          : fmt::format(" Most of them, {}, are in this file.", size.most);
  add_finding(size,
              fmt::format("Too much {} for one change: {} added and {} deleted are {} more than {} allows ({}).{}",
                          what, plural(size.added, "line"), size.deleted, size.lines() - *most, setting, *most, where),
              all, report);
}

}  // namespace

void change_size(const CheckInput& input, CheckReport& report) {
  const Areas areas = input.areas();
  std::array<Size, 4> sizes;
  Size all;
  for (const ChangedFile& file : input.changes().files) {
    bool only_touched = file.kind == ChangeKind::Modified && file.spans.empty() &&
                        !file.is_binary;  // git lists files with a new modification time, too
    if (!file.is_regular || only_touched || input.settings.ignored(kChangeSize, file.path)) continue;
    add_change(input, file, sizes[static_cast<size_t>(areas.of(file.path))]);
    add_change(input, file, all);
  }
  CheckTable table{kChangeSize, {"Area", "Files", "Added", "Deleted"}, {}};
  for (Area area : {Area::Source, Area::Tests, Area::Docs, Area::Other}) {
    const Size& size = sizes[static_cast<size_t>(area)];
    table.rows.push_back({name(area), {size.files, size.added, size.deleted}});
  }
  table.rows.push_back({"total", {all.files, all.added, all.deleted}});
  report.tables.push_back(std::move(table));

  const Size& source = sizes[static_cast<size_t>(Area::Source)];
  const Size& tests = sizes[static_cast<size_t>(Area::Tests)];
  check_most(input, "change-size-max-source", "source", source, all, report);
  check_most(input, "change-size-max-tests", "test code", tests, all, report);
  check_most(input, "change-size-max-docs", "documentation", sizes[static_cast<size_t>(Area::Docs)], all, report);
  std::optional<Threshold> ratio = input.settings.fraction("change-size-min-test-ratio");
  if (!ratio || tests.added * ratio->denominator >= source.added * ratio->numerator) return;
  int64_t wanted = (source.added * ratio->numerator + ratio->denominator - 1) / ratio->denominator;
  add_finding(source,
              fmt::format("Too few tests for this change: {} of tests came with {} of source, and "
                          "change-size-min-test-ratio ({}) wants {}.",
                          plural(tests.added, "added line"), plural(source.added, "added line"), ratio->text, wanted),
              all, report);
}

}  // namespace qd::report
