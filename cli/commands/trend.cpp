// `qd-cov trend`: adds the present coverage to a file, and draws the coverage in the file.
#include <fmt/chrono.h>
#include <fmt/core.h>

#include <cstdio>
#include <ctime>
#include <filesystem>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output/terminal.h"
#include "cli/reported/reported_data.h"
#include "cli/standard_streams.h"
#include "report/diff/base_commit.h"
#include "report/diff/diff_coverage.h"
#include "report/formats/tables/trend_chart.h"
#include "report/inputs/trend.h"

namespace qd::cli {

namespace {

constexpr int kWidthOfPipes = 80;

void add_trend_options(CommandLine& line) {
  line.group("Trend");
  line.add(
      "append",
      "Add the present coverage, with the commit that is checked out. An earlier entry of that commit is replaced.");
  line.add("branch", "Draw the commits of this branch alone.", kText, "BRANCH");
  line.add("file", "The trend file, of JSON lines. Defaults to that of the configuration, or 'coverage-trend.jsonl'.",
           kText, "FILE");
  line.add("format", "'text', a chart and a list, or 'json'. Default: text.", kText, "FORMAT");
  line.choices("format", {"text", "json"});
  line.add("last", "List this many of the last commits. Default: 10.", kText, "N");
  line.add("ascii", "Draw with plain characters alone; else the locale decides.");
  add_data_options(line);
}

report::TrendPoint point_of_now(const ReportInput& input, const std::string& file) {
  report::Numbers total;
  render_files(
      input, [](report::AnalyzedFile&& analyzed) { return analyzed.analysis.numbers; },
      [&](report::Numbers&& numbers) { total += numbers; }, warn);
  report::TrendPoint point;
  point.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  try {
    report::HeadCommit head = report::head_commit(".", file);
    point.commit = head.commit;
    point.branch = head.branch;
    point.dirty = head.dirty;
  } catch (const report::GitError& error) {
    warn(fmt::format("No commit is recorded: {}", error.what()));
  }
  point.files = total.n_files;
  point.covered_statements = total.n_executed();
  point.statements = total.n_statements;
  point.covered_branches = total.n_executed_branches();
  point.branches = total.n_branches;
  return point;
}

/// Trend file of the command line or the configuration.
std::string trend_file(const CommandLine& line, const report::Config& config) {
  return line.text("file").value_or(config.trend.value_or("coverage-trend.jsonl"));
}

int append(CommandLine& line) {
  report::Config config = report_config(line);
  const std::string file = trend_file(line, config);
  const LackingData lacking = combine_parts(config, line.flag("keep-combined"));
  ReportInput input = read_report_input(std::move(config), line.arguments(), line.text("python"));
  report::TrendPoint point = point_of_now(input, file);
  if (point.files == 0) throw report::NoDataError("No data to report.");
  if (std::string why = lacking_data(input.data, lacking); !why.empty())
    throw report::DataError(fmt::format("Nothing is added to '{}': {}", file, why));
  // Versions are checked first, because later runs trust the entry of the commit.
  if (int code = check_versions(input, stdout); code != kOk) return code;
  if (std::string why = input.versions->untrusted_files(); !why.empty())
    throw report::DataError(fmt::format("Nothing is added to '{}': {}", file, why));
  report::TrendChange change = report::append_to_trend(file, point);
  std::string what = point.commit.empty() ? "a point" : "commit " + point.commit.substr(0, 10);
  std::string percent = report::percent(point.covered(), point.total()) + "%";
  switch (change) {
    case report::TrendChange::Added: fmt::print("Added {} to {}: {}\n", what, file, percent); break;
    case report::TrendChange::Replaced: fmt::print("Replaced {} in {}: {}\n", what, file, percent); break;
    case report::TrendChange::Unchanged: fmt::print("Nothing new of {} for {}: {}\n", what, file, percent); break;
  }
  return kOk;
}

}  // namespace

int trend(const Arguments& arguments) {
  CommandLine line(
      "trend", "[options] [modules]",
      "Draw the trend of coverage from commit to commit; with --append, add the present coverage to the file.");
  add_trend_options(line);
  if (!line.parse(arguments)) return kOk;
  if (line.flag("append")) return append(line);
  const std::string file = trend_file(line, line.config());
  if (!line.arguments().empty()) throw UsageError("Modules go with --append.");

  std::string format = line.text("format").value_or("text");
  if (format != "text" && format != "json")
    throw UsageError(fmt::format("option --format: '{}' is neither 'text' nor 'json'", format));
  report::TrendStyle style;
  if (auto n = line.integer("last")) {
    if (*n < 0) throw UsageError(fmt::format("option --last: '{}' is no number of commits", *n));
    style.n_listed = static_cast<size_t>(*n);
  }
  if (!std::filesystem::exists(file))
    throw report::NoDataError(
        fmt::format("No trend to draw: there is no '{}'; 'qd-cov trend --append' begins one.", file));
  report::Trend trend = report::read_trend(file);
  if (trend.n_unknown > 0)
    warn(fmt::format("{} of '{}' {} of a later version of qd-cov, and not shown.",
                     trend.n_unknown == 1 ? "1 line" : fmt::format("{} lines", trend.n_unknown), file,
                     trend.n_unknown == 1 ? "is" : "are"));
  if (auto branch = line.text("branch"))
    std::erase_if(trend.points, [&](const report::TrendPoint& point) { return point.branch != *branch; });
  style.color = color_wanted();
  style.unicode = unicode_wanted() && !line.flag("ascii");
  style.width = terminal_width() > (1 << 16) ? kWidthOfPipes : terminal_width();
  fmt::print("{}", format == "json" ? report::trend_json(trend.points) : report::trend_terminal(trend.points, style));
  flush_quietly();
  return kOk;
}

}  // namespace qd::cli
