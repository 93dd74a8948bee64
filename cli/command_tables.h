// The options of all commands, as data.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace qd::cli {

/// What the value of an option is on the command line.
enum class ValueKind {
  Any,
  Choice,  // one of OptionHelp::choices, perhaps with ":PATH" behind it
  File,    // perhaps with "NAME=" before it
  Folder,
};

ValueKind value_kind(const OptionHelp& option);

/// The commands in alphabetical order. A topic with options of its own follows its command ("debug", "debug probes").
std::vector<CommandHelp> all_command_help();

/// "-h", "--help"
std::string dashed(const std::string& name);

/// The first sentence of a text, for lists in which more would be cut off.
std::string first_sentence(const std::string& text);

/// `text` with `before` in front of each of its `characters`.
std::string escaped(const std::string& text, const std::string& characters, const std::string& before);

}  // namespace qd::cli
