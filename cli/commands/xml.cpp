// `qd-cov xml`: Cobertura's XML.
#include <chrono>

#include "cli/commands.h"
#include "cli/reported/file_report.h"
#include "report/formats/machine/xml_report.h"

namespace qd::cli {

int xml(const Arguments& arguments) {
  CommandLine line("xml", "[options] [modules]", "Generate an XML report of coverage results.");
  add_file_report_options(line, "XML", "coverage.xml");
  line.add("skip-empty", "Skip files with no code.");
  if (!line.parse(arguments)) return kOk;

  report::Config config = report_config(line);
  config.report_contexts.reset();  // coverage.py's command has no contexts either
  config.skip_empty = config.skip_empty || line.flag("skip-empty");
  return write_file_report(line, config, "XML", config.xml_output, [](const ReportInput& input, OutputFile& file) {
    report::XmlReport page(input.config, input.data.has_branches());
    const FileReportTotal total = add_files(page, input);
    auto now = std::chrono::system_clock::now().time_since_epoch();
    page.write(QD_VERSION, std::chrono::duration_cast<std::chrono::milliseconds>(now).count(),
               [&](std::string_view text) { file.write(text); });
    return total;
  });
}

}  // namespace qd::cli
