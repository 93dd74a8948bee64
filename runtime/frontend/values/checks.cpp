// Checks while a kernel runs: an Assert or a Warn with a text.
#include "runtime/frontend/values/checks.h"

#include <fmt/format.h>

#include "runtime/ir/frames.h"

namespace qd::frontend {

using Kind = ir::Format::Kind;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Range;

// The number of the iteration of the parallel loop around, by which messages name the thread.
Item thread_number(Compilation& c) {
  return c.function().in_parallel ? Item(Number{c.build.inst(Op::Iteration, Type::I64, {}), Type::I64})
                                  : Item(Value(int64_t{0}));
}

void add_iteration(Compilation& c, Text& text, const Range& range) {
  if (!c.function().in_parallel) return;
  if (c.function().iteration.empty()) {
    text.add("\ntid=");
    add_text(c, text, thread_number(c), "", range);
    return;
  }
  const char* before = "\nat ";
  for (const LoopVariable& variable : c.function().iteration) {
    text.add(fmt::format("{}{}={}", before, variable.name, variable.list ? "[" : ""));
    for (size_t i = 0; i < variable.axes.size(); ++i) {
      const auto [axis, type] = variable.axes[i];
      if (i > 0) text.add(", ");
      const InstId index = c.build.inst(Op::LoopIndex, type, {}, static_cast<uint32_t>(variable.loop), axis);
      text.add_value(Number{index, type}, "", range);
    }
    if (variable.list) text.add("]");
    before = ", ";
  }
}

void emit_check(Compilation& c, Op op, InstId holds, const Text& text, const Range& range, ir::Format::Kind kind) {
  const ir::Builder::Scope here(c.build, c.build.location_of(range));
  std::vector<InstId> operands{holds};
  if (auto format = add_format(c, text, operands)) {
    c.kernel.formats[*format].kind = kind;
    c.build.inst(op, Type::Void, operands, *format);
  }
}

}  // namespace qd::frontend
