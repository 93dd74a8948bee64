// `qd-cov which-tests`: the contexts in which a line ran or a branch was taken.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/reported/reported_data.h"
#include "cli/standard_streams.h"
#include "report/config/glob_matcher.h"
#include "report/data/file_content.h"
#include "report/data/version_notes.h"
#include "report/formats/html/context_tests.h"

namespace qd::cli {

namespace {

struct CodeLocation {
  std::string file;
  int32_t line = 0;
  std::optional<int32_t> to;  // destination of a branch; a negative one leaves the function
};

int32_t line_number(std::string_view text, const std::string& place) {
  int32_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    throw UsageError(fmt::format("'{}' is no place: it takes FILE:LINE, FILE:LINE->LINE or FILE:LINE->exit", place));
  return number;
}

/// Parses a place: "a.py:12", "a.py:12->15", "a.py:12->exit"
CodeLocation parse_place(const std::string& text) {
  size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) line_number("", text);
  CodeLocation place;
  place.file = text.substr(0, colon);
  std::string_view rest = std::string_view(text).substr(colon + 1);
  size_t arrow = rest.find("->");
  place.line = line_number(rest.substr(0, arrow), text);
  if (arrow != std::string_view::npos) {
    std::string_view target = rest.substr(arrow + 2);
    place.to = target == "exit" ? -1 : line_number(target, text);
  }
  return place;
}

const report::FileData& file_of(const report::CoverageData& data, const std::string& name) {
  std::string absolute = report::absolute_path(name);
  for (const auto& [path, file] : data.files)
    if (report::absolute_path(path) == absolute) return file;
  throw report::NoDataError(fmt::format("No data for '{}'.", name));
}

}  // namespace

int which_tests(const Arguments& arguments) {
  CommandLine line("which-tests", "[options] FILE:LINE ...",
                   "List the tests that reach a line, or a branch given as FILE:LINE->LINE or FILE:LINE->exit. The "
                   "data must have been measured with contexts: "
                   "'qd-cov run --context test -- pytest', or pytest-cov's '--cov-context=test'.");
  line.add("data-file", "Read coverage data from this file. Defaults to '.coverage'. [env: COVERAGE_FILE]", kText,
           "INFILE");
  line.add("require-hashes", "Exit with a status of 2 if the data of a file has no hash of its present source.");
  line.add("contexts", "List whole contexts, with the phase of the test and the architecture of kernels.");
  if (!line.parse(arguments)) return kOk;
  if (line.arguments().empty()) throw UsageError("No line is given: which-tests takes FILE:LINE.");

  report::Config config = line.config();
  configure_by_plugins(config, line);
  config.gates.require_hashes = config.gates.require_hashes || line.flag("require-hashes");
  report::CoverageData data = read_mapped_data(config);
  std::set<std::string> found, asked;
  report::VersionNotes versions;
  for (const std::string& argument : line.arguments()) {
    CodeLocation place = parse_place(argument);
    const report::FileData& file = file_of(data, place.file);
    std::optional<std::string> bytes = report::read_bytes(place.file);
    if (bytes && asked.insert(place.file).second) versions.add(place.file, report::version_of(file, *bytes));
    if (place.to && data.has_arcs == false)
      throw report::DataError("Branches are not in this data: it was measured without --branch.");
    auto reached = [&](const report::Arc& arc) {
      if (!place.to) return arc.from == place.line || arc.to == place.line;
      return arc.from == place.line && (*place.to < 0 ? arc.to < 0 : arc.to == *place.to);
    };
    for (const auto& [context, arcs] : file.arcs)
      if (std::any_of(arcs.begin(), arcs.end(), reached)) found.insert(data.contexts[context]);
    for (const auto& [context, lines] : file.lines)
      if (lines.contains(place.line)) found.insert(data.contexts[context]);
  }
  for (const std::string& note : versions.notes()) warn(note);
  if (std::string why = config.gates.require_hashes ? versions.without_hashes() : ""; !why.empty()) {
    tell("Failure. " + why);
    return kFailUnder;
  }
  std::set<std::string> shown;
  bool without_test = false;
  for (const std::string& context : found) {
    const std::string test(report::test_name(context));
    without_test = without_test || test.empty();
    if (!test.empty()) shown.insert(line.flag("contexts") ? context : test);
  }
  for (const std::string& name : shown) fmt::print("{}\n", name);
  if (!shown.empty()) return kOk;
  tell(without_test ? "It ran, but the data has no test contexts: measure with contexts." : "No test reaches it.");
  return kError;
}

}  // namespace qd::cli
