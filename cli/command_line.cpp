// Command line parser with cxxopts, in coverage.py's manner and words.
#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cxxopts.hpp>

#include "cli/commands/debug_topics.h"
#include "cli/help_text.h"
#include "cli/options/arch_option.h"
#include "cli/output/debug_messages.h"
#include "cli/output/message_links.h"
#include "cli/output/progress_bar.h"
#include "cli/output/terminal.h"
#include "cli/standard_streams.h"
#include "report/config/near_name.h"
#include "report/data/producers.h"
#include "report/gate/condition_gates.h"
#include "report/gate/gradient_gate.h"

namespace qd::cli {

namespace {

constexpr int kHelpWidth = 80;    // columns of the help text in a pipe
constexpr int kWidestHelp = 100;  // and at most, on a terminal
constexpr int kNarrowestHelp = 60;

const cxxopts::HelpOptionDetails* find_option(const std::vector<cxxopts::HelpOptionDetails>& options,
                                              const std::string& name) {
  for (const cxxopts::HelpOptionDetails& option : options)
    if (option.s == name || std::find(option.l.begin(), option.l.end(), name) != option.l.end()) return &option;
  return nullptr;
}

/// Nearest option of a mistyped one: "--fail-under" for "fail-udner"; empty when no option is near.
std::string near_option(const std::vector<cxxopts::HelpOptionDetails>& options, const std::string& word) {
  std::vector<std::string> names;
  for (const cxxopts::HelpOptionDetails& option : options)
    for (const std::string& name : option.l)  // the first letter and another one are hardly ever both wrong
      if (name.substr(0, 1) == word.substr(0, 1) || report::typing_mistakes(word, name) < 2) names.push_back(name);
  const std::string name = report::near_name(word, names);
  return name.empty() ? "" : "--" + name;
}

/// Index of the end of the options: at the first argument that is neither an option nor the value of one, or after
/// "--". Throws UsageError for an unknown option, or one without its value.
size_t end_of_options(const std::vector<cxxopts::HelpOptionDetails>& options,
                      const std::vector<std::string>& arguments) {
  size_t i = 0;
  for (; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.size() < 2 || argument[0] != '-' || argument == "--") break;
    bool is_long = argument[1] == '-';
    size_t equals = is_long ? argument.find('=') : std::string::npos;
    std::vector<std::string> names;
    if (is_long) {
      names.push_back(argument.substr(2, equals == std::string::npos ? equals : equals - 2));
    } else {
      for (size_t k = 1; k < argument.size(); ++k) names.emplace_back(1, argument[k]);
    }
    for (size_t k = 0; k < names.size(); ++k) {
      std::string shown = (is_long ? "--" : "-") + names[k];
      const cxxopts::HelpOptionDetails* option = find_option(options, names[k]);
      if (!option) throw UsageError("no such option: " + shown, is_long ? near_option(options, names[k]) : "");
      if (option->is_boolean) {
        if (equals != std::string::npos) throw UsageError(shown + " option does not take a value");
        continue;
      }
      bool attached = equals != std::string::npos || k + 1 < names.size();
      if (!attached && ++i >= arguments.size()) throw UsageError(shown + " option requires 1 argument");
      break;
    }
  }
  return i;
}

/// Turns "--exclude a b" into "--exclude=a --exclude=b".
std::vector<std::string> spread_out(const std::vector<std::string>& many, const std::vector<std::string>& given) {
  std::vector<std::string> result;
  for (size_t i = 0; i < given.size() && given[i] != "--"; ++i) {
    bool is_many =
        std::any_of(many.begin(), many.end(), [&](const std::string& name) { return given[i] == "--" + name; });
    bool any = is_many && i + 1 < given.size() && !given[i + 1].starts_with('-');
    if (!any) {
      result.push_back(given[i]);
      continue;
    }
    std::string option = given[i];
    for (; i + 1 < given.size() && !given[i + 1].starts_with('-'); ++i) result.push_back(option + "=" + given[i + 1]);
  }
  result.insert(result.end(), std::find(given.begin(), given.end(), "--"), given.end());
  return result;
}

template <typename T>
std::optional<T> parse_number(const std::optional<std::string>& text, const std::string& name, const char* kind) {
  if (!text) return std::nullopt;
  T value{};
  const char* end = text->data() + text->size();
  auto [last, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || last != end)
    throw UsageError(fmt::format("option --{}: invalid {} value: '{}'", name, kind, *text));
  return value;
}

ColorChoice color_choice(const std::string& when) {
  if (when == "auto") return ColorChoice::kAuto;
  if (when == "always") return ColorChoice::kAlways;
  if (when == "never") return ColorChoice::kNever;
  throw UsageError(fmt::format("option --color: invalid choice: '{}' (choose from 'auto', 'always', 'never')", when));
}

/// Throws UsageError for arguments that the usage has no place for: any behind "[options]", a second one behind
/// "[FILE]".
void check_number(const CommandHelp& help, const std::vector<std::string>& arguments) {
  const bool none = help.usage.empty() || help.usage == "[options]";
  const bool one = help.usage == "[options] [FILE]";
  if (none && !arguments.empty()) throw UsageError(fmt::format("'{}' takes no arguments", help.command));
  if (one && arguments.size() > 1)
    throw UsageError(fmt::format("'{}' takes one file, and '{}' is another", help.command, arguments[1]));
}

/// Destination of the next help text; null: standard output.
CommandHelp* described = nullptr;

bool silent = false;  // warnings are off

}  // namespace

struct CommandLine::Parser {
  Parser() : options("qd-cov") {}

  std::vector<cxxopts::HelpOptionDetails> all_options() const {
    std::vector<cxxopts::HelpOptionDetails> all;
    for (const std::string& group : options.groups()) {
      const std::vector<cxxopts::HelpOptionDetails>& some = options.group_help(group).options;
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  cxxopts::Options options;
  cxxopts::ParseResult result;
};

std::vector<std::string> CommandHelp::groups() const {
  std::vector<std::string> result = {""};
  for (const OptionHelp& option : options)
    if (option.group != kGlobalGroup && std::ranges::find(result, option.group) == result.end())
      result.push_back(option.group);
  result.emplace_back(kGlobalGroup);
  return result;
}

void silence_warnings() { silent = true; }

void print_version() { fmt::print("qd-cov, version {}\nCommit: {}\n", QD_VERSION, build_commit()); }

void warn(const std::string& message) {
  if (silent) return;
  ProgressBar::make_room();
  const std::string label = message_label(stderr, "warning", "33");
  tell((label.empty() ? "CoverageWarning: " : label) + linked_warning(message));
}

CommandLine::CommandLine(const std::string& command, const std::string& usage, const std::string& description)
    : parser_(std::make_unique<Parser>()), help_{command, usage, description, {}, {}, {}} {
  group(kGlobalGroup);
  add("h,help", "Get help on this command.");
  add("help-all", "The same, with all that there is to say about each option.");
  add("rcfile",
      "Specify configuration file. By default '.coveragerc', 'setup.cfg', 'tox.ini', and 'pyproject.toml' are tried. "
      "[env: COVERAGE_RCFILE]",
      kText, "RCFILE");
  add("debug",
      "Kinds of messages for standard error, or for the file of [run] debug_file: config, pybehave, sqlite, sys; and "
      "combine, of commands that combine data. [env: COVERAGE_DEBUG]",
      kText, "OPTS");
  add("color",
      "Colours, and lines of the terminal's width: 'auto' (on a terminal; without colours under NO_COLOR), 'always' or "
      "'never', which writes as into a pipe. Default: 'auto'.",
      kText, "WHEN");
  choices("color", {"auto", "always", "never"});
  add("version", "Print the version.");
  debug_kinds(debug_topics());
  group("");
}

CommandLine::~CommandLine() = default;

void CommandLine::add(const std::string& names, const std::string& help, OptionValue value, const std::string& shown) {
  help_.options.push_back({split_list(names), help, value, shown, {}, group_});
  cxxopts::OptionAdder add_option = parser_->options.add_options(group_);
  switch (value) {
    case kNone: add_option(names, help); break;
    case kText: add_option(names, help, cxxopts::value<std::string>(), shown); break;
    case kMany: many_.push_back(names.substr(names.rfind(',') + 1)); [[fallthrough]];
    case kTexts: add_option(names, help, cxxopts::value<std::vector<std::string>>(), shown); break;
  }
}

void CommandLine::choices(const std::string& name, const std::vector<std::string>& values) {
  for (OptionHelp& option : help_.options)
    if (option.names.back() == name) option.choices = values;
}

void CommandLine::debug_kinds(std::vector<std::string> kinds) {
  debug_kinds_.insert(debug_kinds_.end(), kinds.begin(), kinds.end());
}

bool CommandLine::parse(const std::vector<std::string>& given) {
  auto end_of = [&](const std::vector<std::string>& arguments) {
    return end_of_options(parser_->all_options(), arguments);
  };
  std::vector<std::string> options, rest = spread_out(many_, given);
  while (true) {
    size_t end = end_of(rest);
    options.insert(options.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(end));
    rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(end));
    bool last = rest.empty() || rest[0] == "--" || !interspersed_;
    if (!rest.empty() && rest[0] == "--") rest.erase(rest.begin());
    if (last) break;
    arguments_.push_back(rest[0]);
    rest.erase(rest.begin());
  }
  arguments_.insert(arguments_.end(), rest.begin(), rest.end());
  std::vector<const char*> argv = {"qd-cov"};
  for (const std::string& option : options) argv.push_back(option.c_str());
  try {
    parser_->result = parser_->options.parse(static_cast<int>(argv.size()), argv.data());
  } catch (const cxxopts::exceptions::exception& error) {
    throw UsageError(error.what());
  }
  if (const bool all = flag("help-all"); all || flag("help")) {
    if (described)
      *described = std::move(help_);
    else
      fmt::print("{}", help_text(all));
    return false;
  }
  if (parser_->result.count("version")) {
    print_version();
    return false;
  }
  check_number(help_, arguments_);
  if (const std::optional<std::string> when = text("color")) choose_color(color_choice(*when));
  for (std::string kind : list("debug").value_or(std::vector<std::string>{})) {
    kind = without_blanks(kind);
    if (!kind.empty() && std::find(debug_kinds_.begin(), debug_kinds_.end(), kind) == debug_kinds_.end())
      throw UsageError(fmt::format("option --debug: 'qd-cov {}' has no messages of kind '{}'; it has {}", help_.command,
                                   kind, fmt::join(debug_kinds_, ", ")));
  }
  return true;
}

std::string CommandLine::help_text(bool all) const {
  const int width = person_reads() ? std::clamp(terminal_width(), kNarrowestHelp, kWidestHelp) : kHelpWidth;
  const auto columns = static_cast<size_t>(width);
  return all || usual_.empty() ? full_help(help_, columns) : short_help(help_, usual_, columns);
}

bool CommandLine::flag(const std::string& name) const { return parser_->result.count(name) > 0; }

std::optional<std::string> CommandLine::text(const std::string& name) const {
  if (!parser_->result.count(name)) return std::nullopt;
  return parser_->result[name].as<std::string>();
}

std::optional<std::string> CommandLine::only_text(const std::string& name) const {
  const std::optional<std::string> last = text(name);
  for (const cxxopts::KeyValue& given : parser_->result.arguments())
    if (given.key() == name && given.value() != *last)
      throw UsageError(fmt::format("option --{}: '{}' is a second value, beside '{}'", name, *last, given.value()));
  return last;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> pieces;
  size_t start = 0;
  for (size_t comma; (comma = text.find(',', start)) != std::string::npos; start = comma + 1)
    pieces.push_back(text.substr(start, comma - start));
  pieces.push_back(text.substr(start));
  return pieces;
}

std::optional<std::vector<std::string>> CommandLine::list(const std::string& name) const {
  std::optional<std::string> value = text(name);
  if (!value || value->empty()) return std::nullopt;
  return split_list(*value);
}

std::vector<std::string> CommandLine::values(const std::string& name) const {
  if (!parser_->result.count(name)) return {};
  return parser_->result[name].as<std::vector<std::string>>();
}

std::optional<double> CommandLine::number(const std::string& name) const {
  return parse_number<double>(text(name), name, "floating-point");
}

std::optional<int> CommandLine::integer(const std::string& name) const {
  return parse_number<int>(text(name), name, "integer");
}

/// Makes the producers of a configuration those of this process. Throws ConfigError.
void set_producers(const report::Config& config) {
  report::Producers producers;
  if (config.producers) producers.contexts = *config.producers;
  if (config.kernel_decorators) producers.kernel_decorators = *config.kernel_decorators;
  if (config.func_decorators) producers.func_decorators = *config.func_decorators;
  auto check = [&](const char* key, const report::StringList& values, auto&& is_right, const char* what) {
    for (const std::string& value : values)
      if (!is_right(value))
        throw report::ConfigError(fmt::format("Invalid [tool.qd-cov] {} value '{}': it is no {}{}", key, value, what,
                                              report::place_of_own(config, key)));
  };
  auto is_producer = [](const std::string& name) { return report::is_arch_name(name) && name != report::kHostArch; };
  auto is_decorator = [](const std::string& name) {
    const size_t dot = name.rfind('.');
    return dot != std::string::npos && dot > 0 && dot + 1 < name.size() && name.front() != '.';
  };
  check("producers", producers.contexts, is_producer, "name of lower-case letters, like 'numba'");
  check("kernel_decorators", producers.kernel_decorators, is_decorator,
        "decorator with its package, like 'numba.njit'");
  check("func_decorators", producers.func_decorators, is_decorator, "decorator with its package, like 'numba.njit'");
  report::set_producers(std::move(producers));
}

report::Config CommandLine::config(const std::optional<std::string>& rcfile) const {
  std::optional<std::string> named = text("rcfile");
  report::Config config = report::read_config(named ? named : rcfile, warn);
  link_messages(config);
  set_producers(config);
  report::check_condition_thresholds(config);
  report::check_gradient_threshold(config);
  if (find_option(parser_->all_options(), "data-file"))
    if (std::optional<std::string> file = text("data-file"); file && !file->empty()) config.data_file = *file;
  if (auto kinds = list("debug")) config.debug = *kinds;
  if (help_.command != "debug") tell_debug_topics(config, named ? named : rcfile);  // debug prints its own
  return config;
}

CommandHelp describe(const std::function<void()>& run) {
  CommandHelp help;
  described = &help;
  run();
  described = nullptr;
  return help;
}

}  // namespace qd::cli
