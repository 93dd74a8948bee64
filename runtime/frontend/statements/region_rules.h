// Rules for regions: the statements that may stand directly in a block that the schedule runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Whether a statement leaves no code of its own: pass, a docstring, a call that is evaluated while the kernel is
/// compiled, or one for the next loop.
bool leaves_no_code(Compilation& c, const Stmt& stmt);
/// Whether a statement may stand in the region around it; reports the reason if not.
bool may_stand_here(Compilation& c, const Stmt& stmt);
/// Regions in which a block or loop of the schedule may stand, beside the top level of its kernel.
enum class Where : uint8_t {
  Nowhere,       // it stands under an `if` with qd.static, and may not
  TopLevel,      // nowhere else
  DoWhile,       // directly in a do-while
  OneInAnother,  // directly in a do-while, and it is a do-while itself
};
/// Whether `name` is allowed at its place: in the kernel itself, not in a func, and under no `if` or loop that is
/// decided at run time. Else reports it.
bool stands_where_it_may(Compilation& c, std::string_view name, Where where, const Range& range);
/// Reports a kernel without graph=True.
void needs_graph(Compilation& c, std::string_view name, const Range& range);
/// Reports the arguments of a call that takes none.
void takes_no_arguments(Compilation& c, const syntax::Call& call, std::string_view name);
/// The text of an expression that stands on one line.
std::string source_text(Compilation& c, const Range& range);
/// The flag of a do-while or a checkpoint: an ndarray of shape () of qd.i32 that the kernel gets as an argument.
/// Nothing after an error.
std::optional<Item> flag_argument(Compilation& c, const Expr& flag, std::string_view of);

}  // namespace qd::frontend
