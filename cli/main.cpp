// The program qd-cov: finds the command, runs it, turns exceptions into one message and an exit code.
#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/enough_stack.h"
#include "cli/output/message_links.h"
#include "report/analysis/plugin_file.h"
#include "report/data/temporary_name.h"

namespace {

using namespace qd::cli;

int show_usage_error(const std::string& message) {
  std::fflush(stdout);
  fmt::print(stderr, "{}\nUse 'qd-cov help' for help.\n", message);
  return kError;
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
  throw UsageError(name.starts_with('-') ? fmt::format("no such option: {}", name)
                                         : fmt::format("Unknown command: '{}'", name));
}

int run_and_tell(const Arguments& arguments) {
  try {
    return dispatch(arguments);
  } catch (const UsageError& error) {
    return show_usage_error(error.what());
  } catch (const qd::report::PluginFailure& error) {
    std::fflush(stdout);
    if (error.traceback.empty())
      fmt::print("{}\n", linked_error(error.what()));
    else
      fmt::print(stderr, "{}", error.traceback);
    return kError;
  } catch (const std::runtime_error& error) {
    fmt::print("{}\n", linked_error(error.what()));
    return kError;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond the limit is an error like a full disk
  qd::report::remove_temporaries_on_signals();
  return with_enough_stack([&] { return run_and_tell({argv + 1, argv + argc}); });
}
