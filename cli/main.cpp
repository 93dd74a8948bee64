// Program qd-cov: finds the command, runs it, turns exceptions into one message and an exit code.
#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/enough_stack.h"
#include "cli/output/message_links.h"
#include "cli/output/terminal.h"
#include "cli/python/python_decoder.h"
#include "cli/standard_streams.h"
#include "report/analysis/plugin_file.h"
#include "report/analysis/source_decoder.h"
#include "report/data/coverage_data.h"
#include "report/data/temporary_name.h"

namespace {

using namespace qd::cli;

int show_usage_error(const UsageError& error) {
  tell(message_label(stderr, "error", "1;31") + error.what());
  if (!error.meant.empty()) tell(fmt::format("Did you mean '{}'?", error.meant));
  tell("Use 'qd-cov help' for help.");
  return kError;
}

int show(const std::string& message) {
  show_error(message_label(stdout, "error", "1;31") + linked_error(message));
  return kError;
}

int dispatch(const Arguments& arguments) {
  if (arguments.empty()) {
    fmt::print("Coverage of Python code and kernels, version {}.\nUse 'qd-cov help' for help.\n", QD_VERSION);
    return kOk;
  }
  const std::string& name = arguments[0];
  if (name == "--version") {
    print_version();
    return kOk;
  }
  if (name == "-h" || name == "--help") return help({});
  if (std::error_code error; std::filesystem::current_path(error).empty())
    throw std::runtime_error(fmt::format("Couldn't use the current folder: {}", error.message()));
  for (const Command& command : all_commands())
    if (name == command.name) return command.run({arguments.begin() + 1, arguments.end()});
  if (name == "note-session") return note_session({arguments.begin() + 1, arguments.end()});
  if (name.starts_with('-')) throw UsageError(fmt::format("no such option: {}", name));
  throw UsageError(fmt::format("Unknown command: '{}'", name), near_command(name));
}

int run_and_tell(const Arguments& arguments) {
  try {
    const int code = dispatch(arguments);
    flush_output();
    return code;
  } catch (const UsageError& error) {
    return show_usage_error(error);
  } catch (const qd::report::PluginFailure& error) {
    if (error.traceback.empty()) return show(error.what());
    flush_quietly();
    std::fputs(error.traceback.c_str(), stderr);
    return kError;
  } catch (const qd::report::NoDataError& error) {
    // The next step is for people: standard output has coverage.py's words alone.
    const int code = show(error.what());
    flush_quietly();
    if (!error.next_step.empty()) tell(error.next_step);
    return code;
  } catch (const std::system_error& error) {
    return show(std::ferror(stdout) != 0 ? OutputError(error.code().value()).what() : error.what());
  } catch (const std::runtime_error& error) {
    return show(error.what());
  } catch (const nlohmann::json::type_error& error) {
    constexpr int kNotUtf8 = 316;  // of a text that is to be written
    if (error.id != kNotUtf8) throw;
    return show("The names of the current folder, of files and in the configuration have to be UTF-8.");
  }
}

}  // namespace

int main(int argc, char** argv) {
  keep_closed_streams_closed();
  std::signal(SIGXFSZ, SIG_IGN);  // makes a write beyond the file size limit an error, like a full disk
  qd::report::remove_temporaries_on_signals();
  qd::report::set_source_decoder(decode_by_python);
  return with_enough_stack([&] { return run_and_tell({argv + 1, argv + argc}); });
}
