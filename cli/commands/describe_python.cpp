// Python description: starts describe_python.py in the user's Python.
#include "cli/commands/debug_topics.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/child_process.h"
#include "cli/measure/private_folder.h"
#include "cli/python/python_version.h"
#include "report/formats/common/human_order.h"

namespace qd::cli {

namespace {

constexpr const char* kDescribePython =
#include "describe_python.inc"
    ;

}  // namespace

DebugRows describe_python(const std::string& topic, const std::optional<std::string>& rcfile) {
  const auto python = python_program();
  if (!python) return {{"python_executable", {"none on the PATH"}}};
  PrivateFolder folder;
  const std::string answer = folder / "python.json";
  DebugRows rows;
  try {
    std::vector<std::string> command = {python->program, "-c", kDescribePython, answer, topic};
    if (rcfile) command.push_back(*rcfile);
    int code = run_program(command, {}, Output::kDropped);
    if (code != 0) throw std::runtime_error(fmt::format("exit code {}", code));
    std::ifstream stream(answer);
    const auto described = nlohmann::json::parse(stream);
    for (const auto& row : described) {
      std::vector<std::string> lines;
      for (const auto& line : row.at(1)) lines.push_back(report::printable(line.get<std::string>()));
      rows.emplace_back(row.at(0).get<std::string>(), lines);
    }
  } catch (const std::exception& error) {
    return {{"python_executable", {python->program, fmt::format("does not run: {}", error.what())}}};
  }
  return rows;
}

}  // namespace qd::cli
