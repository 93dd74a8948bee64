// Arguments of a launch that stay bound to a variant of the kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/abi/array_slot.h"
#include "runtime/launch/program.h"

namespace qd {

/// Arguments of a caller that launches a kernel again and again, and changes few of them. The first launch binds all to
/// a variant; a later one only those that the caller names. For one launch at a time.
struct BoundArguments {
  std::vector<Argument> arguments;
  std::vector<uint32_t> changed;  // numbers of the arguments that differ from the last launch's

  // Of the launcher:
  uint64_t variant = 0;  // the number of the variant to which they are bound; 0: to none
  std::vector<ArraySlot> arrays;
  std::vector<uint64_t> params;
  std::shared_ptr<const std::vector<frontend::Value>> leaves;  // of templates, as they are bound; null: none
  std::shared_ptr<const void> templates;  // what the reader has kept of a launch with the same templates; null: nothing
};

}  // namespace qd
