// Tables of all options: asks each command for its options, as --help does.
#include "cli/command_tables.h"

#include "cli/commands.h"

namespace qd::cli {

ValueKind value_kind(const OptionHelp& option) {
  if (!option.choices.empty()) return ValueKind::Choice;
  if (option.shown.ends_with("FILE") || option.shown == "FILENAME" || option.shown == "JSON") return ValueKind::File;
  if (option.shown == "DIR" || option.shown == "DIRECTORY...") return ValueKind::Folder;
  return ValueKind::Any;
}

std::vector<CommandHelp> all_command_help() {
  std::vector<CommandHelp> tables;
  for (const Command& command : all_commands()) {
    if (command.run == help) {  // it has no options
      CommandHelp& table =
          tables.emplace_back(CommandHelp{command.name, "[command]", command.help, {}, {}, command.help});
      for (const Command& topic : all_commands()) table.topics.push_back({topic.name, topic.help});
      continue;
    }
    tables.push_back(describe([&] { command.run({"--help"}); }));
    tables.back().summary = command.help;
    const std::vector<Topic> topics = tables.back().topics;
    for (const Topic& topic : topics)
      if (topic.has_options) tables.push_back(describe([&] { command.run({topic.name, "--help"}); }));
  }
  return tables;
}

std::string dashed(const std::string& name) { return (name.size() == 1 ? "-" : "--") + name; }

std::string first_sentence(const std::string& text) {
  size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

}  // namespace qd::cli
