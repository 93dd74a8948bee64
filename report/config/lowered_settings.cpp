// Comparison of two configurations, setting by setting, by the role of each in the table of our settings; and of
// coverage.py's exclusions.
#include "report/config/lowered_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "report/config/config_file.h"
#include "report/config/own_options.h"

namespace qd::report {

namespace {

class Comparison {
 public:
  Comparison(const Config& before, const Config& now) : before_(before), now_(now) {}

  StringList lowered() {
    for (const OwnOption& option : own_options()) own(option);
    coverages();
    checks();
    return std::move(found_);
  }

 private:
  static StringList values(const Config& config, const std::string& key) {
    auto found = config.own.find(key);
    return found == config.own.end() ? StringList{} : found->second.values;
  }

  template <typename... Ts>
  void add(fmt::format_string<Ts...> format, Ts&&... arguments) {
    found_.push_back(fmt::format(format, std::forward<Ts>(arguments)...));
  }

  void own(const OwnOption& option) {
    const StringList before = values(before_, option.key()), now = values(now_, option.key());
    const std::string name = option.name;
    const bool had = !before.empty(), has = !now.empty();
    switch (option.role) {
      case OwnRole::None: break;
      case OwnRole::Least:
        if (had) number(name, before[0], has ? now[0] : "", true);
        break;
      case OwnRole::Most:
        if (had) number(name, before[0], has ? now[0] : "", false);
        break;
      case OwnRole::Wanted:
        for (const std::string& one : before)
          if (one != "false" && std::find(now.begin(), now.end(), one) == now.end())
            option.kind == OwnKind::Flag ? add("turns {} off", name) : add("takes '{}' out of {}", one, name);
        break;
      case OwnRole::Shares: shares(name, before, now); break;
      case OwnRole::NoData: ranked(name, {"pass", "warn", "fail"}, before, now); break;
      case OwnRole::Lines: ranked(name, {"exact", "statement"}, before, now); break;
      case OwnRole::Compared:
        if (before != now)
          add("changes {} from {} to {}", name, had ? "'" + before[0] + "'" : "none",
              has ? "'" + now[0] + "'" : "none");
        break;
      case OwnRole::Loosening:
        if (option.kind == OwnKind::Flag && has && now[0] == "true" && (!had || before[0] != "true"))
          add("turns {} on", name);
        else if (option.kind == OwnKind::Number && has)
          number(name, had ? before[0] : "0", now[0], false);
        else if (option.kind == OwnKind::Texts || option.kind == OwnKind::List)
          list(name, before, now);
        break;
      case OwnRole::Narrowing:
        if (has) narrowed(name, had ? OptionalList(before) : std::nullopt, now);
        break;
    }
  }

  /// Compares a number. `now` is empty when the setting was removed.
  void number(const std::string& name, const std::string& before, const std::string& now, bool more_is_stricter) {
    if (now.empty()) {
      add("takes {} = {} away", name, before);
      return;
    }
    const double old_value = std::strtod(before.c_str(), nullptr), value = std::strtod(now.c_str(), nullptr);
    if (more_is_stricter && value < old_value) add("lowers {} from {} to {}", name, before, now);
    if (!more_is_stricter && value > old_value) add("raises {} from {} to {}", name, before, now);
  }

  void shares(const std::string& name, const StringList& before, const StringList& now) {
    auto split = [](const std::string& text) {
      const size_t equals = text.rfind('=');
      if (equals == std::string::npos) return std::pair<std::string, std::string>("", text);
      const std::string pattern = text.substr(0, equals);
      return std::pair(pattern == "**" ? "" : pattern, text.substr(equals + 1));
    };
    for (const std::string& one : before) {
      const auto [pattern, least] = split(one);
      std::string found;
      for (const std::string& other : now)
        if (split(other).first == pattern) found = split(other).second;
      number(pattern.empty() ? name : fmt::format("{} of '{}'", name, pattern), least, found, true);
    }
  }

  /// Compares a choice. `choices`: all values, from the least strict to the strictest, which is the default.
  void ranked(const std::string& name, const StringList& choices, const StringList& before, const StringList& now) {
    const std::string old_value = before.empty() ? choices.back() : before[0];
    const std::string value = now.empty() ? choices.back() : now[0];
    if (std::ranges::find(choices, value) < std::ranges::find(choices, old_value))
      add("changes {} from {} to {}", name, old_value, value);
  }

  /// Compares a list whose new elements exclude something.
  void list(const std::string& name, const StringList& before, const StringList& now) {
    for (const std::string& one : now)
      if (std::find(before.begin(), before.end(), one) == before.end()) add("adds '{}' to {}", one, name);
  }

  /// Compares a list whose elements include something; empty: everything.
  void narrowed(const std::string& name, const OptionalList& before, const StringList& now) {
    if (!before || before->empty()) {
      if (!now.empty()) add("limits files by {}", name);
      return;
    }
    for (const std::string& one : *before)
      if (!now.empty() && std::find(now.begin(), now.end(), one) == now.end()) add("takes '{}' out of {}", one, name);
  }

  /// Compares coverage.py's settings.
  void coverages() {
    auto shown = [](double number) { return fmt::format("{}", number); };
    if (now_.gates.fail_under < before_.gates.fail_under)
      add("lowers fail_under of [report] from {} to {}", shown(before_.gates.fail_under), shown(now_.gates.fail_under));
    list("the exclusions of [report]", before_.exclusions.exclude, now_.exclusions.exclude);
    list("partial_branches", before_.exclusions.partial, now_.exclusions.partial);
    list("partial_branches_always", before_.exclusions.partial_always, now_.exclusions.partial_always);
    list("omit of [report]", before_.report_omit.value_or(StringList{}), now_.report_omit.value_or(StringList{}));
    list("omit of [run]", before_.run_omit, now_.run_omit);
    narrowed("include of [report]", before_.report_include, now_.report_include.value_or(StringList{}));
    narrowed("include of [run]", before_.run_include, now_.run_include);
    narrowed("source", before_.source, now_.source.value_or(StringList{}));
    narrowed("source_dirs", before_.source_dirs, now_.source_dirs);
    narrowed("source_pkgs", before_.source_pkgs, now_.source_pkgs);
    list("plugins", before_.plugins, now_.plugins);
    if (const StringList had = before_.report_contexts.value_or(StringList{}); !had.empty()) {
      const StringList has = now_.report_contexts.value_or(StringList{});
      if (has.empty()) add("takes contexts of [report] away");
      list("contexts of [report]", had, has);
    }
    if (before_.paths != now_.paths) add("changes [paths]");
    if (before_.data_file != now_.data_file)
      add("changes data_file of [run] from '{}' to '{}'", before_.data_file, now_.data_file);
    if (before_.branch && !now_.branch) add("turns branch off");
    if (!before_.ignore_errors && now_.ignore_errors) add("turns ignore_errors on");
  }

  void checks() {
    auto find = [](const Config& config, const std::string& name) -> const CheckLine* {
      auto found = std::find_if(config.check.rbegin(), config.check.rend(),
                                [&](const CheckLine& line) { return line.name == name; });
      return found == config.check.rend() ? nullptr : &*found;
    };
    auto rank = [](const CheckLine* line) {
      return !line || line->values.empty() ? 0 : line->values[0] == "error" ? 2 : line->values[0] == "warning" ? 1 : 0;
    };
    for (const CheckLine& line : before_.check) {
      const CheckLine* other = find(now_, line.name);
      if (rank(other) < rank(&line))
        add("changes the check {} from {} to {}", line.name, line.values[0], rank(other) == 1 ? "warning" : "off");
    }
    const CheckLine *before = find(before_, "ignore"), *now = find(now_, "ignore");
    if (now) list("ignore of [check]", before ? before->values : StringList{}, now->values);
  }

  const Config &before_, &now_;
  StringList found_;
};

}  // namespace

StringList lowered_settings(const Config& before, const Config& now) { return Comparison(before, now).lowered(); }

bool has_diff_gate(const Config& config) {
  return std::any_of(own_options().begin(), own_options().end(), [&](const OwnOption& option) {
    auto found = config.own.find(option.key());
    return option.is_gate() && found != config.own.end() && found->second.values != StringList{"false"};
  });
}

void take_gates(Config& config, const Config& base) {
  DiffConfig diff = base.diff;
  diff.format = config.diff.format;
  diff.show_uncovered = config.diff.show_uncovered;
  diff.quiet = config.diff.quiet;
  diff.total_percent_float = config.diff.total_percent_float;
  config.diff = std::move(diff);
  config.own = base.own;
  config.gates.fail_under_conditions = base.gates.fail_under_conditions;
  config.gates.fail_under_mcdc = base.gates.fail_under_mcdc;
  config.gates.fail_under_gradients = base.gates.fail_under_gradients;
  config.gates.require_hashes = base.gates.require_hashes;
  config.exclusions = base.exclusions;
  config.report_include = base.report_include;
  config.report_omit = base.report_omit;
  config.report_contexts = base.report_contexts;
  config.paths = base.paths;  // they say which file's data counts for which source
  config.inputs = base.inputs;
  config.src_roots = base.src_roots;
  config.run_include = base.run_include;
  config.run_omit = base.run_omit;
  config.source = base.source;
  config.source_dirs = base.source_dirs;
  config.source_pkgs = base.source_pkgs;
  config.ignore_errors = base.ignore_errors;
}

}  // namespace qd::report
