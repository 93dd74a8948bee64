// `qd-cov badge`: the total as a small picture.
#include "report/formats/tables/badge.h"

#include "cli/commands.h"
#include "cli/reported/file_report.h"
#include "report/formats/machine/machine_report.h"

namespace qd::cli {

int badge(const Arguments& arguments) {
  CommandLine line("badge", "[options] [modules]", "Draw the total coverage as an SVG badge.");
  add_file_report_options(line, "badge", "coverage.svg");
  line.add("label", "Label on the left of the badge. Defaults to 'coverage'.", kText, "TEXT");
  line.add("precision", "Number of digits after the decimal point to display for reported coverage percentages.", kText,
           "N");
  if (!line.parse(arguments)) return kOk;

  report::Config config = report_config(line);
  std::string label = line.text("label").value_or("coverage");
  auto render = [&](const ReportInput& input, OutputFile& file) {
    report::ReportTotal total;
    render_files(
        input, [](report::AnalyzedFile&& analyzed) { return report::RenderedFile(analyzed); },
        [&](const report::RenderedFile& file) { total.add(file); }, warn);
    if (total.numbers.n_files == 0) throw report::NoDataError("No data to report.");
    file.write(report::badge(label, total.numbers, input.config.precision));
    return FileReportTotal{total.numbers.pc_covered(), total.conditions, total.gradients};
  };
  return write_file_report(line, config, "badge", "coverage.svg", render);
}

}  // namespace qd::cli
