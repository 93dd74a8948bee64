// Test contexts. The last part of a context is the one that changed while the program ran.
#include "report/check/test_contexts.h"
#include "report/data/producers.h"

#include <string_view>

namespace qd::report {

bool names_test(std::string_view context) {
  context = context_parts(context).label;
  const size_t bar = context.rfind('|');
  const std::string_view last = context.substr(bar == std::string_view::npos ? 0 : bar + 1);
  if (bar != std::string_view::npos && bar > 0 &&
      (last == "setup" || last == "run" || last == "call" || last == "teardown"))
    return true;
  if (last.find("::") != std::string_view::npos) return true;
  size_t dot = last.rfind('.');
  if (dot == std::string_view::npos) return false;
  std::string_view function = last.substr(dot + 1);
  return function.starts_with("test") || function == "runTest";
}

std::set<ContextId> test_contexts(const CoverageData& data) {
  std::set<ContextId> result;
  for (size_t id = 0; id < data.contexts.size(); ++id)
    if (names_test(data.contexts[id])) result.insert(static_cast<ContextId>(id));
  return result;
}

}  // namespace qd::report
