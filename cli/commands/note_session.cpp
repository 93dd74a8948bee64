// `qd-cov note-session`: what the pytest plugin notes in the data file of pytest-cov.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "report/config/config.h"
#include "report/config/path_aliases.h"
#include "report/data/measured_commands.h"
#include "report/data/session_tables.h"

namespace qd::cli {

namespace fs = std::filesystem;

int note_session(const Arguments& arguments) {
  CommandLine line("note-session", "[options] -- FILE [WORD...]",
                   "Note in a data file by which command it was measured, and of which versions of its sources. Our "
                   "pytest plugin calls this.");
  line.add("command-only", "Note the command alone.");
  line.add("parts", "Copies of the data files of kernels that were combined into this one.", kMany, "FILE");
  line.add("older", "Copies of the data files of earlier sessions that were combined into this one.", kMany, "FILE");
  line.add("start", "The begin of the session, in seconds of the epoch.", kText, "SECONDS");
  line.add("versions", "The file in which processes noted what they measured.", kText, "FILE");
  if (!line.parse(arguments)) return kOk;
  std::vector<std::string> words = line.arguments();
  if (words.empty()) throw UsageError("One data file, please");
  const std::string file = words[0];
  words.erase(words.begin());
  if (line.flag("command-only")) {
    report::add_command(file, report::shown_command(words));
    return kOk;
  }
  report::SessionTables tables;
  report::PathAliases aliases(line.config());
  const auto alias = [&](const std::string& path) { return aliases.map(path); };
  const std::pair<const char*, decltype(&report::SessionTables::keep)> kinds[] = {
      {"parts", &report::SessionTables::keep}, {"older", &report::SessionTables::keep_older}};
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  for (const auto& [option, keep] : kinds) {
    for (const std::string& copy : line.values(option)) {
      try {
        (tables.*keep)(copy, alias);
      } catch (const report::DataError& error) {
        warn(error.what());  // the other files are whole
        tables.miss((folder / fs::path(copy).filename()).string());
      }
    }
  }
  const auto start = static_cast<int64_t>(line.number("start").value_or(0) * 1e9);
  tables.add_to(file, line.text("versions").value_or(""), start, words, warn);
  return kOk;
}

}  // namespace qd::cli
