// Tests of contexts. pytest-cov's contexts end in the phase, those of kernels in the device:
// "test_mod.py::test_a|run|qd:cpu".
#include "report/formats/html/context_tests.h"
#include "report/data/producers.h"

#include <algorithm>
#include <array>
#include <map>

namespace qd::report {

std::string_view test_name(std::string_view context) {
  constexpr std::array<std::string_view, 3> kPhases = {"|setup", "|run", "|teardown"};
  context = context_parts(context).label;
  for (std::string_view phase : kPhases)
    if (context.ends_with(phase)) return context.substr(0, context.size() - phase.size());
  return context;
}

ContextTests context_tests(const std::vector<std::string>& contexts) {
  ContextTests result;
  std::map<std::string_view, uint32_t> numbers;
  for (const std::string& context : contexts) {
    const std::string_view name = test_name(context);
    auto [found, is_new] = numbers.try_emplace(name, static_cast<uint32_t>(result.names.size()));
    if (is_new) result.names.emplace_back(name);
    result.of.push_back(found->second);
    result.devices.emplace_back(context_parts(context).device);
  }
  return result;
}

}  // namespace qd::report
