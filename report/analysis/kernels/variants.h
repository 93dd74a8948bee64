// Coverage of each variant of a kernel or a func, and of each instantiation of a C++ template.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Coverage of the launches of one variant, or of the calls of one instantiation.
struct VariantCoverage {
  std::string name;                        // "n=3", "double add<double>(double, double)"; empty: all calls are alike
  std::string arch;                        // empty for an instantiation
  std::string kernel;                      // of a func: the kernel that has it inlined
  uint64_t runs = 0;                       // launches or calls; 0 for launches that were not counted
  bool has_lines = true;                   // false: the input has no more than the number of calls
  std::vector<int32_t> executed, missing;  // statements that it has, sorted
  int32_t branches = 0, taken = 0;         // of lines with several exits, those that it has
};

/// A kernel or func of several variants, or a template of several instantiations.
struct FunctionVariants {
  enum class Kind : uint8_t { Template, Kernel, Func };
  int32_t line = 0;  // of the def
  Kind kind = Kind::Template;
  std::vector<VariantCoverage> variants;  // the one with the least coverage first
};

/// All variants of a file, by line.
std::vector<FunctionVariants> function_variants(const Analysis& analysis);

/// Number of launches of a kernel on each device for which it is known.
std::map<std::string, uint64_t> launches(const KernelProbes& kernel);

}  // namespace qd::report
