// `qd-cov debug`: shows the resolved configuration, or what is in data files.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/debug_probes.h"
#include "report/config/describe.h"
#include "report/data/combine.h"

namespace qd::cli {

namespace {

void print_header(const std::string& label) {
  fmt::print("--{:-<60}\n", " " + label + " ");
}

void show_config(const report::Config& config) {
  print_header("config");
  for (const auto& [name, lines] : report::describe_config(config)) {
    std::string label = name + ":";
    for (const std::string& line : lines) {
      fmt::print(" {:>31} {}\n", label, line);
      label.clear();
    }
  }
}

void show_data(const std::string& path) {
  std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  fmt::print("path: {}\n", absolute);
  if (!std::filesystem::exists(absolute)) {
    fmt::print("No data collected: file doesn't exist\n");
    return;
  }
  report::CoverageData data = report::read_data(absolute);
  fmt::print("has_arcs: {}\n", data.has_arcs.value_or(false) ? "True" : "False");
  fmt::print("{} file{}:\n", data.files.size(), data.files.size() == 1 ? "" : "s");
  for (const auto& [file, measured] : data.files) {
    size_t n = measured.executed_lines().lines().size();
    std::string tracer = measured.tracer.empty() ? "" : fmt::format(" [{}]", measured.tracer);
    std::string decisions;
    if (size_t d = measured.decisions.size()) decisions = fmt::format(", {} decision{}", d, d == 1 ? "" : "s");
    fmt::print("{}: {} line{}{}{}\n", file, n, n == 1 ? "" : "s", decisions, tracer);
  }
}

}  // namespace

int debug(const Arguments& arguments) {
  // The one topic with options of its own.
  if (!arguments.empty() && arguments[0] == "probes") return debug_probes({arguments.begin() + 1, arguments.end()});
  CommandLine line("debug", "<topic>",
                   "Display information for diagnosing problems. Topics are: 'config' to show configuration settings, "
                   "'data [filenames]' to summarize data files, 'probes [options] [files]' to show what is measured in kernels "
                   "(see 'qd-cov debug probes --help').");
  if (!line.parse(arguments)) return kOk;
  if (line.arguments().empty()) throw UsageError("What information would you like: config, data, probes?");
  const std::string& topic = line.arguments()[0];
  Arguments files(line.arguments().begin() + 1, line.arguments().end());
  report::Config config = line.config();
  if (topic == "config") {
    if (!files.empty()) throw UsageError("'debug config' takes no additional arguments");
    show_config(config);
  } else if (topic == "data") {
    if (files.empty()) files.push_back(config.data_file);
    for (const std::string& file : files) {
      print_header("data");
      show_data(file);
      for (const std::string& part : report::combinable_files(file, {})) {
        fmt::print("-----\n");
        show_data(part);
      }
    }
  } else {
    throw UsageError(fmt::format("Don't know what you mean by '{}'", topic));
  }
  return kOk;
}

}  // namespace qd::cli
