// Results of funcs, and functions that return from anywhere: their body is a loop that runs once, which a return
// leaves.
#pragma once

#include <optional>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The types of a func's results, from its annotation; nothing when it has none, or one of something else than
/// numbers and compounds.
struct ResultTypes {
  std::vector<Value> types;
  bool tuple = false;
};

/// A func's result in the types of its annotation.
Item typed_result(Compilation& c, const FunctionSource& source, Item result);
/// Places for the results of a qd.real_func; nothing after an error.
std::optional<EarlyReturns> early_return_places(Compilation& c, const FunctionSource& source, const Range& call);
/// The body of a qd.real_func.
Item early_returning_body(Compilation& c, const FunctionSource& source, EarlyReturns early);

}  // namespace qd::frontend
