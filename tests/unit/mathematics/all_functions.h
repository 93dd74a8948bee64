// Tests with one instance for each function of the language.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/mathematics/mathematics.h"

namespace qd::mathematics::testing {

inline std::string name_of(const ::testing::TestParamInfo<Function>& info) { return std::string(name(info.param)); }

inline std::vector<Function> all_functions() {
  std::vector<Function> all;
  for (size_t i = 0; i < kFunctions; i++) all.push_back(static_cast<Function>(i));
  return all;
}

}  // namespace qd::mathematics::testing
