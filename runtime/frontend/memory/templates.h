// What kernels find in templates beside constants: arrays, which each launch binds, and numbers that are passed at
// each launch.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// A value as kernels use it: an array of a template is an array of the kernel.
Item template_item(Compilation& c, Item item, const Range& range);
/// object.name as a number at run time, where the object's class says so. Nothing otherwise.
std::optional<Item> lifted_number(Compilation& c, const HostObject& object, std::string_view name);

}  // namespace qd::frontend
