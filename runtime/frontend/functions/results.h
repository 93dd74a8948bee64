// Results of funcs, and early returns: the body of a function that returns from anywhere is a loop that runs once, and
// a return leaves it.
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

/// Converts the result of a func, which has none if nothing was `returned`, to the types of its annotation.
Item typed_result(Compilation& c, const FunctionSource& source, std::optional<Item> returned);
/// Places for the results of a qd.real_func; nothing after an error.
std::optional<EarlyReturns> early_return_places(Compilation& c, const FunctionSource& source, const Range& call);
/// Lowers the body of a qd.real_func.
Item early_returning_body(Compilation& c, const FunctionSource& source, EarlyReturns early);

}  // namespace qd::frontend
