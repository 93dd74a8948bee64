// Library of funcs of the language that are written in it. Their text is built in: it is that of files of the Python
// package, so that programs without Python have them, too. Nothing in them is code of the program: errors and locations
// are those of the program's call, and coverage has no row for them. call_library itself is declared in
// expressions/calls.h.
#pragma once

#include <string_view>
#include <vector>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/functions/func_arguments.h"

namespace qd::frontend {

/// The text of a file.
std::string_view library_text(LibraryFile file);
/// Checks and converts the arguments of a call for the func, as its decorator says; false after an error. Arrays of an
/// algorithm over whole arrays (requires_top_level): their elements are counted from 0, also those of a field with an
/// offset.
bool prepare_library_arguments(Compilation& c, const Func& func, std::vector<BoundArgument>& bound, const Range& call);

}  // namespace qd::frontend
