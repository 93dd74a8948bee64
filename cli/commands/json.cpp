// `qd-cov json`: coverage.py's JSON, and with --conditions and --record-commit objects "qd_cov" in it.
#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>

#include "cli/commands.h"
#include "cli/options/arch_option.h"
#include "cli/options/condition_options.h"
#include "cli/options/gradient_options.h"
#include "cli/reported/file_report.h"
#include "report/data/file_content.h"
#include "report/data/in_order.h"
#include "report/data/source_hash.h"
#include "report/data/source_version.h"
#include "report/diff/base_commit.h"
#include "report/formats/machine/json_report.h"

namespace qd::cli {

namespace {

/// Local time in the form of Python's datetime.isoformat().
std::string timestamp() {
  auto now = std::chrono::system_clock::now();
  std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  auto microseconds =
      std::chrono::duration_cast<std::chrono::microseconds>(now - std::chrono::system_clock::from_time_t(seconds))
          .count();
  std::tm local = {};
  localtime_r(&seconds, &local);
  std::string text = fmt::format("{:%Y-%m-%dT%H:%M:%S}", local);
  return microseconds == 0 ? text : fmt::format("{}.{:06}", text, microseconds);
}

/// Present commit and sources. A file whose data is of another version gets a hash that no text has. Throws GitError.
report::RecordedCommit recorded_commit(const std::vector<report::ReportedFile>& files,
                                       const report::CoverageData& data) {
  report::RecordedCommit result;
  report::HeadCommit head = report::head_commit(".");
  result.commit = head.commit;
  result.dirty = head.dirty;
  result.folder = head.folder;
  result.sources.resize(files.size());
  report::in_order(
      files.size(),
      [&](size_t i) -> std::string {
        const std::optional<std::string> bytes = report::read_bytes(files[i].path);
        if (!bytes) return "";
        auto found = data.files.find(files[i].data_name);
        return found == data.files.end() || report::is_of_version(found->second, *bytes) ? report::source_hash(*bytes)
                                                                                         : report::kChangedVersion;
      },
      [&](size_t i, std::string&& hash) { result.sources[i] = {files[i].relative, std::move(hash)}; });
  std::erase_if(result.sources, [](const auto& source) { return source.second.empty(); });
  result.sources.erase(std::unique(result.sources.begin(), result.sources.end()), result.sources.end());
  return result;
}

}  // namespace

int json(const Arguments& arguments) {
  CommandLine line("json", "[options] [modules]", "Generate a JSON report of coverage results.");
  add_file_report_options(line, "JSON", "coverage.json");
  add_condition_options(line);
  add_gradient_options(line);
  line.group("Data");
  line.add("contexts",
           "Only display data from lines covered in the given contexts. Accepts Python regexes, which must be quoted.",
           kText, "REGEX1,REGEX2,...");
  line.group("Output");
  add_by_arch_option(line);
  line.add("record-commit",
           "Record the git commit in the report, and a hash of each source: 'qd-cov diff --base' uses both.");
  line.add("pretty-print", "Format the JSON for human readers.");
  line.add("show-contexts", "Show contexts for covered lines.");
  line.usual({"o", "pretty-print", "show-contexts", "record-commit", "fail-under", "include", "omit", "conditions",
              "data-file", "quiet"});
  if (!line.parse(arguments)) return kOk;

  report::Config config = report_config(line);
  apply_condition_options(line, config);
  apply_gradient_options(line, config);
  config.by_arch = config.by_arch || line.flag("by-arch");
  config.json_pretty_print = config.json_pretty_print || line.flag("pretty-print");
  config.json_show_contexts = config.json_show_contexts || line.flag("show-contexts");
  config.record_commit = config.record_commit || line.flag("record-commit");
  auto render = [](const ReportInput& input, OutputFile& file) {
    report::JsonReport page(
        input.config, input.data, [&](std::string_view text) { file.write(text); },
        columns_by_arch(input.config, input.data));
    if (const std::string why = lacking_data(input.data, input.lacking); input.config.record_commit && !why.empty())
      throw report::DataError(fmt::format("The commit is not recorded: {}", why));
    std::optional<report::RecordedCommit> commit;
    if (input.config.record_commit) commit = recorded_commit(input.files, input.data);
    page.begin(QD_VERSION, timestamp(), commit ? &*commit : nullptr);
    report::AnalysisNeeds needs;
    needs.regions = needs.text = true;
    render_files(
        input, [&](report::AnalyzedFile&& analyzed) { return page.render(analyzed); },
        [&](report::JsonReport::File&& rendered) {
          warn_of_stale_conditions(rendered.file->relative, {{}, rendered.n_stale_decisions});
          warn_of_stale_gradients(rendered.file->relative, {{}, {}, rendered.n_stale_gradients}, input.config);
          page.add(rendered);
        },
        warn, needs);
    page.end();
    return FileReportTotal{page.percent(), page.total_conditions(), page.total_gradients()};
  };
  return write_file_report(line, config, "JSON", config.json_output, render, config.json_show_contexts);
}

}  // namespace qd::cli
