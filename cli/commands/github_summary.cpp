// `qd-cov github summary` and `outputs`: write to the runner's files for a step of a workflow.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "cli/commands/github_topics.h"
#include "cli/options/service_options.h"
#include "report/diff/diff_coverage.h"
#include "report/formats/common/text.h"
#include "report/formats/diff/diff_parts.h"
#include "report/services/markdown_text.h"

namespace qd::cli {

namespace {

using report::ServiceJson;

constexpr size_t kMaxSummary = size_t{1} << 20;

/// Entry of an output file: "NAME<<DELIMITER\nVALUE\nDELIMITER\n". The delimiter is random, so that no value can
/// contain it.
std::string output(const std::string& name, const std::string& value) {
  std::random_device device;
  std::string delimiter = fmt::format("qd_cov_{:08x}{:08x}{:08x}", device(), device(), device());
  return fmt::format("{}<<{}\n{}\n{}\n", name, delimiter, value, delimiter);
}

int64_t count(const ServiceJson& numbers, const char* key) {
  auto found = numbers.is_object() ? numbers.find(key) : numbers.end();
  if (!numbers.is_object() || found == numbers.end() || !found->is_number_integer())
    throw std::runtime_error("This is no report of 'qd-cov diff --format json'.");
  return found->get<int64_t>();
}

}  // namespace

int github_summary(const Arguments& arguments) {
  CommandLine line("github summary", "[options] [FILE]",
                   "Add this markdown ('qd-cov diff --format markdown:FILE') to the summary of the job, "
                   "GITHUB_STEP_SUMMARY. A step takes 1 MiB: more is cut off between blocks.");
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;
  std::string text = report::valid_utf8(text_argument(line, "markdown"));
  if (!text.ends_with('\n')) text += '\n';
  size_t there = 0;
  if (const char* path = std::getenv("GITHUB_STEP_SUMMARY")) {
    std::error_code error;
    auto size = std::filesystem::file_size(path, error);
    if (!error) there = static_cast<size_t>(size);
  }
  if (there > 0) text = "\n" + text;  // separates it from the paragraph before
  size_t left = kMaxSummary - std::min(there, kMaxSummary);
  std::string fitting = report::cut_markdown(text, left, "_The rest is left out: a summary has 1 MiB at most._");
  if (fitting.size() < text.size() && fitting != text)
    service_notice("the summary would be longer than 1 MiB: the rest is left out");
  append_to_runner_file("GITHUB_STEP_SUMMARY", fitting);
  return kOk;
}

int github_outputs(const Arguments& arguments) {
  CommandLine line("github outputs", "[options] [FILE]",
                   "Set outputs of the step (GITHUB_OUTPUT) to the numbers of this report ('qd-cov diff --format "
                   "json:FILE'): 'coverage' in percent, 'lines', 'missing', 'passed' (true or "
                   "false), and 'overall', in percent, where the report has it.");
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;
  ServiceJson json = ServiceJson::parse(text_argument(line, "a report"), nullptr, false);
  ServiceJson own = json.is_object() ? json.value("qd_cov", ServiceJson()) : ServiceJson();
  if (!own.is_object() || !own.value("passed", ServiceJson()).is_boolean())
    throw std::runtime_error("This is no report of 'qd-cov diff --format json'.");
  ServiceJson numbers = own.value("diff", ServiceJson());
  int64_t covered = count(numbers, "covered"), total = count(numbers, "total");
  std::string text = output("coverage", report::percent(covered, total)) + output("lines", fmt::format("{}", total)) +
                     output("missing", fmt::format("{}", total - covered)) +
                     output("passed", own["passed"].get<bool>() ? "true" : "false");
  if (own.contains("overall"))
    text += output("overall", report::percent(count(own["overall"], "covered"), count(own["overall"], "total")));
  append_to_runner_file("GITHUB_OUTPUT", text);
  return kOk;
}

}  // namespace qd::cli
