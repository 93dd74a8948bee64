// `qd-cov debug`: shows information for diagnosing problems.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/commands/debug_topics.h"
#include "report/config/describe.h"
#include "report/data/combine.h"
#include "report/formats/common/human_order.h"

namespace qd::cli {

namespace {

void show_rows(const std::string& topic, const DebugRows& rows) { fmt::print("{}", debug_text(topic, rows)); }

void show_data(const std::string& path) {
  std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  fmt::print("path: {}\n", absolute);
  if (!std::filesystem::exists(absolute)) {
    fmt::print("No data collected: file doesn't exist\n");
    return;
  }
  report::CoverageData data = report::read_data(absolute, false);
  fmt::print("has_arcs: {}\n", data.has_arcs.value_or(false) ? "True" : "False");
  fmt::print("{} file{}:\n", data.files.size(), data.files.size() == 1 ? "" : "s");
  std::vector<std::string> names;
  for (const auto& [file, measured] : data.files) names.push_back(file);
  std::sort(names.begin(), names.end(), report::human_less);
  for (const std::string& file : names) {
    const report::FileData& measured = data.files.at(file);
    size_t n = measured.executed_lines().lines().size();
    std::string more = measured.lines_only ? ", no branch data" : "";
    if (size_t d = measured.decisions.size()) more += fmt::format(", {} decision{}", d, d == 1 ? "" : "s");
    if (!measured.tracer.empty()) more += fmt::format(" [{}]", report::printable(measured.tracer));
    fmt::print("{}: {} line{}{}\n", report::printable(file), n, n == 1 ? "" : "s", more);
  }
}

void show_all_data(Arguments files, const report::Config& config) {
  if (files.empty()) files.push_back(config.data_file);
  for (const std::string& file : files) {
    fmt::print("{}", debug_header("data"));
    show_data(file);
    for (const std::string& part : report::combinable_files(file, {})) {
      fmt::print("-----\n");
      show_data(part);
    }
  }
}

}  // namespace

int debug(const Arguments& arguments) {
  // The one topic with options of its own.
  if (!arguments.empty() && arguments[0] == "probes") return debug_probes({arguments.begin() + 1, arguments.end()});
  CommandLine line("debug", "<topic>",
                   "Display information for diagnosing problems. Topics are: 'config' to show configuration settings, "
                   "'data [filenames]' to summarize data files, 'devices' to list the devices of kernels, 'premain' to "
                   "show what is calling qd-cov, 'probes [options] [files]' to show the measured lines and branches of "
                   "kernels (see 'qd-cov debug probes --help'), 'pybehave' to show the assumptions about Python, "
                   "'sqlite' to show SQLite compilation options, 'sys' to show installation information.");
  for (const char* topic : {"config", "data", "devices", "premain", "probes", "pybehave", "sqlite", "sys"})
    line.add_topic({topic, "", topic == std::string_view("probes")});
  if (!line.parse(arguments)) return kOk;
  if (line.arguments().empty())
    throw UsageError("What information would you like: config, data, devices, sys, premain, probes, pybehave, sqlite?");
  const std::string& topic = line.arguments()[0];
  const Arguments more(line.arguments().begin() + 1, line.arguments().end());
  report::Config config = line.config();
  if (topic == "data") {
    show_all_data(more, config);
    return kOk;
  }
  if (!more.empty()) throw UsageError(fmt::format("'debug {}' takes no additional arguments", topic));
  if (topic == "config") {
    show_rows(topic, report::describe_config(config, line.text("rcfile")));
  } else if (topic == "sys") {
    show_rows(topic, debug_sys(config, line.text("rcfile")));
  } else if (topic == "devices") {
    show_rows(topic, describe_python(topic));
  } else if (topic == "sqlite") {
    show_rows(topic, debug_sqlite());
  } else if (topic == "pybehave") {
    show_rows(topic, debug_pybehave());
  } else if (topic == "premain") {
    fmt::print("{}", debug_header(topic));
    for (const std::string& process : debug_premain()) fmt::print("{}\n", process);
  } else {
    throw UsageError(fmt::format("Don't know what you mean by '{}'", topic));
  }
  return kOk;
}

}  // namespace qd::cli
