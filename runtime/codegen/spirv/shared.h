// State that the functions of one module share, and the functions that come from formulas.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "runtime/codegen/spirv/constant_tables.h"
#include "runtime/codegen/spirv/module.h"
#include "runtime/codegen/spirv/spirv_target.h"
#include "runtime/mathematics/mathematics.h"
#include "runtime/mathematics/software.h"

namespace qd::codegen::spirv {

using Software = software::Function;

/// State of a module. Variables of the module live as long as an invocation, and each invocation has its own.
struct Shared {
  /// `most_bound`: largest number of arrays that are reached through descriptors.
  Shared(const SpirvDevice& device, const ConstantTables& tables, uint32_t most_bound)
      : device(device), tables(tables), most_bound(most_bound) {}

  const SpirvDevice& device;
  const ConstantTables& tables;
  const uint32_t most_bound;
  Module module;
  Id push_constants = 0;
  std::vector<uint32_t> bound;                    // the arrays that have a binding, by its number
  std::map<std::pair<uint32_t, Id>, Id> buffers;  // binding, type of numbers: the variable

  // Functions that were called so far.
  std::map<std::pair<mathematics::Function, ir::Type>, Id> mathematics;
  std::map<std::pair<Software, ir::Type>, Id> software;
  std::vector<Id> routines;  // by number; 0: not called

  // Variables.
  std::map<std::pair<ir::AtomicOp, uint32_t>, Id> counters;  // by combine rule and number; u64: counted so far; u32 for
  std::set<uint32_t> narrow_counters;                        // these
  Id random[2] = {};                                         // u64: the state of random numbers
  Id iteration = 0;                                          // u64: for routines that ask for it

  Id random_state(size_t word) {
    if (random[word] == 0) random[word] = module.private_variable(module.int_type(64));
    return random[word];
  }
};

// Functions of the module that are emitted from formulas, when they are first called.

/// The function of f32 or f64.
Id mathematical_function(Shared& shared, mathematics::Function function, ir::Type type);
Id software_function(Shared& shared, Software function, ir::Type type);

}  // namespace qd::codegen::spirv
