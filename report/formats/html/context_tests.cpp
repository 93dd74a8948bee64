// Tests of contexts. pytest-cov's contexts end in the phase, those of kernels in the device:
// "test_mod.py::test_a|run|qd:cpu".
#include "report/formats/html/context_tests.h"

#include <algorithm>
#include <array>
#include <map>

namespace qd::report {

std::string_view test_name(std::string_view context) {
  constexpr std::array<std::string_view, 3> kPhases = {"|setup", "|run", "|teardown"};
  const size_t last = context.rfind('|');
  const size_t device = last == std::string_view::npos ? 0 : last + 1;
  if (context.substr(device).starts_with("qd:")) context = context.substr(0, device == 0 ? 0 : last);
  for (std::string_view phase : kPhases)
    if (context.ends_with(phase)) return context.substr(0, context.size() - phase.size());
  return context;
}

ContextTests context_tests(const std::vector<std::string>& contexts) {
  ContextTests result;
  std::map<std::string_view, uint32_t> numbers;
  for (const std::string& context : contexts) {
    auto [found, is_new] = numbers.try_emplace(test_name(context), result.n);
    if (is_new) ++result.n;
    result.of.push_back(found->second);
  }
  return result;
}

}  // namespace qd::report
