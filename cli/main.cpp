// The program qd-cov: finds the command, runs it, turns exceptions into one message and an exit code.
#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/enough_stack.h"
#include "cli/output/message_links.h"
#include "cli/output/terminal.h"
#include "report/analysis/plugin_file.h"
#include "report/data/coverage_data.h"
#include "report/data/temporary_name.h"

namespace {

using namespace qd::cli;

int show_usage_error(const UsageError& error) {
  std::fflush(stdout);
  fmt::print(stderr, "{}{}\n", message_label(stderr, "error", "1;31"), error.what());
  if (!error.meant.empty()) fmt::print(stderr, "Did you mean '{}'?\n", error.meant);
  fmt::print(stderr, "Use 'qd-cov help' for help.\n");
  return kError;
}

void show_error(const std::string& message) {
  fmt::print("{}{}\n", message_label(stdout, "error", "1;31"), linked_error(message));
}

int dispatch(const Arguments& arguments) {
  if (arguments.empty()) {
    fmt::print("Coverage of Python code and kernels, version {}.\nUse 'qd-cov help' for help.\n", QD_VERSION);
    return kOk;
  }
  const std::string& name = arguments[0];
  if (name == "--version") {
    fmt::print("qd-cov, version {}\n", QD_VERSION);
    return kOk;
  }
  if (name == "-h" || name == "--help") return help({});
  for (const Command& command : all_commands())
    if (name == command.name) return command.run({arguments.begin() + 1, arguments.end()});
  if (name.starts_with('-')) throw UsageError(fmt::format("no such option: {}", name));
  throw UsageError(fmt::format("Unknown command: '{}'", name), near_command(name));
}

int run_and_tell(const Arguments& arguments) {
  try {
    return dispatch(arguments);
  } catch (const UsageError& error) {
    return show_usage_error(error);
  } catch (const qd::report::PluginFailure& error) {
    std::fflush(stdout);
    if (error.traceback.empty())
      show_error(error.what());
    else
      fmt::print(stderr, "{}", error.traceback);
    return kError;
  } catch (const qd::report::NoDataError& error) {
    show_error(error.what());
    // For a person: programs get coverage.py's words alone.
    if (!error.next_step.empty() && person_reads()) fmt::print("{}\n", error.next_step);
    return kError;
  } catch (const std::runtime_error& error) {
    show_error(error.what());
    return kError;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond the limit is an error like a full disk
  qd::report::remove_temporaries_on_signals();
  return with_enough_stack([&] { return run_and_tell({argv + 1, argv + argc}); });
}
