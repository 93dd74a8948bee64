// A decision of compiled code, and what can be seen of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/data/kernel_data.h"

namespace qd::instrument {

struct CompiledDecision {
  uint32_t function = 0;  // of the functions that go with it
  std::string kind;       // as report::Decision has it
  report::SourceRange range;
  std::vector<report::SourceRange> conditions;
  std::vector<report::Evaluation> outcomes;  // the ways to evaluate it; single conditions where those are too many
  bool operator==(const CompiledDecision&) const = default;
};

}  // namespace qd::instrument
