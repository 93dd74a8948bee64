// Contexts of a report, chosen by patterns.
#include "report/engine/chosen_contexts.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/data/producers.h"
#include "report/regex/python_regex.h"

namespace qd::report {

namespace {

struct Pattern {
  std::string text;
  PythonRegex regex;
};

/// Compiles patterns. Throws ConfigError.
std::vector<Pattern> compiled(const OptionalList& patterns) {
  std::vector<Pattern> result;
  if (!patterns) return result;
  for (const std::string& pattern : *patterns) {
    try {
      result.push_back({pattern, PythonRegex(pattern)});
    } catch (const std::runtime_error& error) {
      throw ConfigError(fmt::format("Invalid context regex '{}': {}", pattern, error.what()));
    }
  }
  return result;
}

/// Whether any pattern matches a context. Throws ConfigError.
bool any_matches(const std::vector<Pattern>& patterns, const std::string& context) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
    try {
      return pattern.regex.search(context);
    } catch (const RegexLimit&) {
      throw ConfigError(
          fmt::format("Context regex '{}' backtracks without end on context '{}'", pattern.text, context));
    }
  });
}

}  // namespace

std::optional<std::set<ContextId>> chosen_contexts(const CoverageData& data, const OptionalList& patterns) {
  if (!patterns || patterns->empty()) return std::nullopt;
  const std::vector<Pattern> all = compiled(patterns);
  std::set<ContextId> chosen;
  for (ContextId id = 0; id < data.contexts.size(); ++id)
    if (any_matches(all, data.contexts[id])) chosen.insert(id);
  return chosen;
}

std::vector<std::string> reported_archs(const CoverageData& data, const OptionalList& patterns) {
  return measured_archs(data, chosen_contexts(data, patterns));
}

FoldContext one_context_a_device(const OptionalList& patterns) {
  auto all = std::make_shared<std::vector<Pattern>>();
  try {
    *all = compiled(patterns);
  } catch (const ConfigError&) {
    return {};  // chosen_contexts() reports this error, after others
  }
  auto first_of = std::make_shared<std::map<std::string, ContextId>>();
  return [all, first_of](ContextId id, const std::string& context) -> std::optional<ContextId> {
    if (!all->empty() && !any_matches(*all, context)) return std::nullopt;
    return first_of->emplace(context_parts(context).device, id).first->second;
  };
}

}  // namespace qd::report
