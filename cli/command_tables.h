// Tables of the options of all commands.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace qd::cli {

/// Kind of an option's value on the command line.
enum class ValueKind {
  Any,
  Choice,  // one of OptionHelp::choices, perhaps with ":PATH" behind it
  File,    // perhaps with "NAME=" before it
  Folder,
};

ValueKind value_kind(const OptionHelp& option);

/// Returns the commands in alphabetical order. A topic with options of its own follows its command ("debug", "debug
/// probes").
std::vector<CommandHelp> all_command_help();

/// An option's name with its dashes: "-h", "--help".
std::string dashed(const std::string& name);

/// First sentence of a text, for lists with little room.
std::string first_sentence(const std::string& text);

}  // namespace qd::cli
