// Do-while: `while qd.graph.do_while(flag):`. The body runs, and runs again as long as the flag is not 0 behind it:
//
//   while qd.graph.do_while(flag):       region {
//       for i in x: ...            ->      loop {
//                                            for ...
//                                            if flag[()] == 0 { break }
//                                          }
//                                        }
//
// Coverage sees a `while`: its line before each pass and before the end, and its two branches.
#include "runtime/frontend/statements/loops.h"

#include <fmt/format.h>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/memory/names.h"
#include "runtime/frontend/statements/checkpoints.h"
#include "runtime/frontend/statements/region_rules.h"
#include "runtime/frontend/statements/statements.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

/// The flag; nothing after an error.
std::optional<Item> check(Compilation& c, const syntax::While& s, const syntax::Call& call) {
  const std::string name = fmt::format("qd.{}", builtin_of(c, *call.func)->name);
  const Range& range = call.func->range;
  needs_graph(c, name, range);
  if (!s.orelse.empty())
    c.report.error(ErrorKind::Syntax, s.orelse[0]->range, "`else` of a loop is not supported in kernels");
  stands_where_it_may(c, name, Where::OneInAnother, range);
  if (call.args.size() != 1 || !call.keywords.empty()) {
    c.report.error(ErrorKind::Syntax, range, fmt::format("{} takes one argument, its flag", name));
    return std::nullopt;
  }
  return flag_argument(c, *call.args[0], name);
}

/// Emits the condition of another pass, at the end of the body.
void condition(Compilation& c, const syntax::While& s, const Item& flag, int32_t line, int32_t next) {
  const InstId zero = c.build.constant(Type::I32, Value(int64_t{0}));
  const InstId value = c.build.load(std::get<NumberPlace>(element_at(c, flag, {})).pointer);
  InstId done = c.build.compare(ir::CompareOp::Eq, value, zero);
  if (c.options.checkpoints) done = c.build.binary(ir::BinaryOp::BitOr, done, has_yielded(c));
  // The first pass has begun with any flag.
  c.notes.note_value(*s.test, Value(true));
  c.notes.note_value(*s.test, Number{c.build.unary(ir::UnaryOp::LogicalNot, done), Type::U1});
  const InstId branch = c.build.inst(Op::If, Type::Void, {done});
  ir::BlockId leave, again;
  c.build.in_new_block(leave, [&] {
    c.notes.probe(line, next);
    c.build.inst(Op::Break, Type::Void, {});
  });
  c.build.in_new_block(again, [&] {
    if (c.options.checkpoints) resume_no_more(c);
  });
  c.kernel[branch].blocks = {leave, again};
}

}  // namespace

const syntax::Call* do_while_call(Compilation& c, const syntax::While& s) {
  auto* call = std::get_if<syntax::Call>(&s.test->node);
  const BuiltinInfo* info = call ? builtin_of(c, *call->func) : nullptr;
  if (!info || info->kind != BuiltinKind::GraphDoWhile) return nullptr;
  if (info->name == "graph_do_while")
    c.report.warn(call->func->range, "qd.graph_do_while is now written qd.graph.do_while", Warning::Kind::Deprecated);
  return call;
}

Flow do_while_statement(Compilation& c, const syntax::While& s, const syntax::Call& call, const Stmt& stmt,
                        int32_t next) {
  const auto flag = check(c, s, call);
  const int32_t line = c.function().line_of(stmt.range);
  const InstId region = c.build.inst(Op::Region, Type::Void);
  ir::BlockId inside, body;
  c.build.in_new_block(inside, [&] {
    const InstId loop = c.build.inst(Op::Loop, Type::Void);
    c.regions.around.push_back(Region::DoWhile);
    LoopContext context;
    context.runtime_depth = c.function().runtime_depth;
    context.line = line;
    context.next = next;
    context.scheduled = true;
    c.function().loops.push_back(context);
    c.function().push_scope();
    c.build.in_new_scheduled_block(body, [&] {
      c.function().probed = {c.build.block(), line};
      c.notes.edge(stmt, s.body, line);
      lower_suite(c, s.body, stmt, line);
      c.build.set_location(c.build.location_of(stmt.range));
      if (flag) condition(c, s, *flag, line, next);
    });
    c.kernel[loop].blocks[0] = body;
    pop_scope(c, stmt.range);
    c.function().loops.pop_back();
    c.regions.around.pop_back();
  });
  c.kernel[region].blocks[0] = inside;
  return Flow::Next;
}

}  // namespace qd::frontend
