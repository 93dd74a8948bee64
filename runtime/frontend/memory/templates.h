// Values from templates that are not constants: arrays, which each launch binds, and numbers that are passed at each
// launch.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// A value in the form that kernels use: an array of a template is an array of the kernel.
Item template_item(Compilation& c, Item item, const Range& range);
/// The gradient of an array that is no field, which the launch binds.
Item gradient_item(Compilation& c, const ArrayRef& array, const Range& range);
/// The value of object.name as a number at run time, if the object's class asks for it. Nothing otherwise.
std::optional<Item> lifted_number(Compilation& c, const HostObject& object, std::string_view name);

}  // namespace qd::frontend
