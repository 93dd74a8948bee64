// assert: a check in debug mode; else it is lowered for its errors alone.
#include "runtime/frontend/statements/statements.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/texts.h"
#include "runtime/frontend/state/trial.h"
#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;

namespace {

/// Lowers an assert that is not compiled: its errors are found, nothing of it stays in the kernel.
void only_check(Compilation& c, const syntax::Assert& s);

}  // namespace

void lower_assert(Compilation& c, const syntax::Assert& s, const syntax::Stmt& stmt) {
  if (!c.options.debug && !c.function().source->checks) return only_check(c, s);
  auto test = lower_test(c, *s.test);
  int inlined = c.inlined;
  Text text;
  std::vector<InstId> operands;
  std::optional<uint32_t> format;
  BlockId block;
  c.build.in_new_block(block, [&] {
    if (s.msg) add_expr(c, text, *s.msg);
    if (text.values.empty() && text.pieces[0].empty()) text.add("assertion failed");
    add_iteration(c, text, stmt.range);
    format = add_format(c, text, operands);
  });
  if (!test || !format) return;
  // The values of a message are computed up front if that is harmless, and only after a failure otherwise.
  if (inlined == c.inlined && c.build.speculatable(block)) {
    c.build.splice(block, *test, false);
    operands.insert(operands.begin(), *test);
    c.build.inst(Op::Assert, Type::Void, operands, *format);
    return;
  }
  {
    const ir::Builder::Scope inside(c.build, block);
    operands.insert(operands.begin(), c.build.constant(Type::U1, Value(false)));
    c.build.inst(Op::Assert, Type::Void, operands, *format);
  }
  InstId failed = c.build.unary(ir::UnaryOp::LogicalNot, *test);
  InstId branch = c.build.inst(Op::If, Type::Void, {failed});
  c.kernel[branch].blocks = {block, c.kernel.add_block()};
}

namespace {

void only_check(Compilation& c, const syntax::Assert& s) {
  // A walrus binds a name to code that would be gone.
  if (has_walrus(*s.test) || (s.msg && has_walrus(*s.msg))) return;
  const Trial trial(c);
  lower_test(c, *s.test);
  Text text;
  if (s.msg) add_expr(c, text, *s.msg);
}

}  // namespace

}  // namespace qd::frontend
