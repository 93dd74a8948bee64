// Text of --help and --help-all, laid out by cxxopts.
#include "cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cxxopts.hpp>
#include <utility>

#include "cli/command_tables.h"
#include "report/formats/common/terminal.h"

namespace qd::cli {

namespace {

std::string without_trailing_blanks(std::string text) {
  for (size_t at = 0; (at = text.find(" \n", at)) != std::string::npos; at = at == 0 ? 0 : at - 1) text.erase(at, 1);
  return text;
}

/// Usage and these options, with a title for each group but "".
std::string laid_out(const CommandHelp& help, const std::vector<OptionHelp>& options,
                     const std::vector<std::string>& groups, size_t width) {
  cxxopts::Options layout("qd-cov " + help.command,
                          fmt::format("{}", fmt::join(report::folded(help.description, width), "\n")));
  layout.custom_help(help.usage);
  layout.set_width(width);
  for (const OptionHelp& option : options) {
    const std::string names = fmt::format("{}", fmt::join(option.names, ","));
    if (option.value == kNone)
      layout.add_options(option.group)(names, option.help);
    else
      layout.add_options(option.group)(names, option.help, cxxopts::value<std::string>(), option.shown);
  }
  return without_trailing_blanks(layout.help(groups));
}

/// "  Gate: --max-lost, --max-missing".
std::string names_of(const std::string& group, const std::vector<OptionHelp>& options, size_t width) {
  std::string names;
  for (const OptionHelp& option : options)
    if (option.group == group) names += (names.empty() ? "" : ", ") + dashed(option.names.back());
  if (names.empty()) return "";
  const std::string title = group.empty() ? "" : group + ": ";
  return fmt::format("  {}\n", fmt::join(report::folded(title + names, width - 4), "\n    "));
}

}  // namespace

std::string full_help(const CommandHelp& help, size_t width) {
  return laid_out(help, help.options, help.groups(), width);
}

std::string short_help(const CommandHelp& help, const std::vector<std::string>& usual, size_t width) {
  std::vector<OptionHelp> explained, others;
  for (const std::string& name : usual) {
    const auto option = std::ranges::find(help.options, name, [](const OptionHelp& o) { return o.names.back(); });
    OptionHelp& added = explained.emplace_back(*option);
    added.help = first_sentence(added.help);
    if (!added.choices.empty() && added.help.find(added.choices.back()) == std::string::npos)
      added.help += fmt::format(" One of {}.", fmt::join(added.choices, ", "));
    added.group = "";
  }
  for (const OptionHelp& option : help.options)
    if (std::ranges::find(usual, option.names.back()) == usual.end()) others.push_back(option);
  std::string text = laid_out(help, explained, {""}, width) + "\nMore options, which --help-all explains:\n";
  for (const std::string& group : help.groups()) text += names_of(group, others, width);
  return without_trailing_blanks(std::move(text));
}

}  // namespace qd::cli
