// Statements: one at a time, and the ifs and jumps among them.
#include <fmt/format.h>

#include "runtime/frontend/diagnostics.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::overloaded;
using syntax::Range;
using syntax::Stmt;

syntax::List<syntax::StmtPtr> without_docstring(syntax::List<syntax::StmtPtr> body) {
  auto* first = body.empty() ? nullptr : std::get_if<syntax::ExprStmt>(&body[0]->node);
  auto* text = first ? std::get_if<syntax::Constant>(&first->value->node) : nullptr;
  return text && text->kind == syntax::ConstantKind::Str ? body.subspan(1) : body;
}

Flow Lowering::body(Body statements, int32_t next) {
  for (size_t i = 0; i < statements.size(); ++i) {
    frame().endless = false;
    Flow flow = statement(*statements[i], next_line(statements, i, next));
    if (flow == Flow::Left && frame().endless) dead_statements(statements.subspan(i + 1), next);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

// What stands after a loop that never ends is no statement for coverage, as Python makes no code of it. It is lowered
// for its errors, and for the type of a func's result.
void Lowering::dead_statements(Body statements, int32_t next) {
  const ir::BlockId guarded = std::exchange(frame().dead, ir::BlockId::None);
  const bool covered = std::exchange(covered_, false);
  const Decided* decided = std::exchange(frame().decided, nullptr);
  push_scope();
  {
    const ir::Builder::Scope there(build_, guarded != ir::BlockId::None ? guarded : build_.block());
    body(statements, next);
  }
  frame().scopes.pop_back();
  if (guarded != ir::BlockId::None) build_.inst(Op::Break, Type::Void, {});
  frame().decided = decided;
  covered_ = covered;
  frame().endless = true;
}

// Unrolled loops in unrolled loops, and funcs that call a func twice that calls a func twice, would be lowered until
// the memory ends.
void Lowering::limit_size(const Stmt& stmt) {
  constexpr size_t kMaxInstructions = 1'000'000, kMaxStatements = 1'000'000;
  if (++n_statements_ <= kMaxStatements && kernel_.insts.size() <= kMaxInstructions) return;
  error(ErrorKind::Compilation, stmt.range,
        fmt::format("kernel `{}` grows beyond a million {} here: qd.static unrolls its loops, and each call of a "
                    "qd.func is a copy of it; "
                    "take a loop without qd.static, or fewer calls",
                    kernel_.name, n_statements_ > kMaxStatements ? "statements" : "instructions"));
  throw TooLarge{};
}

Flow Lowering::statement(const Stmt& stmt, int32_t next) {
  limit_size(stmt);
  statement_block_ = build_.block();
  build_.set_location(location(stmt.range));
  statement_probe(stmt);
  auto done = [](auto&&...) { return Flow::Next; };
  return std::visit(
      overloaded{
          [&](const syntax::Assign& s) { return assign(s), Flow::Next; },
          [&](const syntax::AnnAssign& s) { return annotated_assign(s, stmt), Flow::Next; },
          [&](const syntax::AugAssign& s) { return augmented_assign(s, stmt), Flow::Next; },
          [&](const syntax::ExprStmt& s) { return expression_statement(s, stmt), Flow::Next; },
          [&](const syntax::If& s) { return if_statement(s, stmt, next); },
          [&](const syntax::For& s) { return s.is_async ? unsupported(stmt, next) : for_statement(s, stmt, next); },
          [&](const syntax::While& s) { return while_statement(s, stmt, next); },
          [&](const syntax::Break&) { return break_statement(stmt); },
          [&](const syntax::Continue&) { return continue_statement(stmt); },
          [&](const syntax::Return& s) { return return_statement(s, stmt); },
          [&](const syntax::Assert& s) { return assertion(s, stmt), Flow::Next; },
          [&](const syntax::Pass& s) { return done(s); },
          [&](const auto&) { return unsupported(stmt, next); },
      },
      stmt.node);
}

// Reports a construct, and goes on inside it: what is in there may be wrong too, and its names are known afterwards.
Flow Lowering::unsupported(const Stmt& stmt, int32_t next) {
  std::string_view name = node_name(stmt);
  size_t begin = name.find('`');
  int32_t width = static_cast<int32_t>(name.rfind('`') - begin) - 1;
  Range keyword{stmt.range.line, stmt.range.col, stmt.range.line, stmt.range.col + width};
  if (auto* def = std::get_if<syntax::FunctionDef>(&stmt.node)) bind(def->name, {Item(Poison{})});
  if (auto* cls = std::get_if<syntax::ClassDef>(&stmt.node)) bind(cls->name, {Item(Poison{})});
  error(ErrorKind::Syntax, keyword, fmt::format("{} is not supported in kernels", name));
  auto poison_alias = [&](const syntax::Alias& alias) {
    std::string_view bound = alias.asname.empty() ? alias.name.substr(0, alias.name.find('.')) : alias.asname;
    bind(bound, {Item(Poison{})});
  };
  std::visit(overloaded{
                 [&](const syntax::Import& s) {
                   for (const auto& alias : s.names) poison_alias(alias);
                 },
                 [&](const syntax::ImportFrom& s) {
                   for (const auto& alias : s.names) poison_alias(alias);
                 },
                 [&](const syntax::With& s) {
                   for (const auto& item : s.items) {
                     auto* target = item.optional_vars ? std::get_if<syntax::Name>(&item.optional_vars->node) : nullptr;
                     if (target) bind(target->id, {Item(Poison{})});
                   }
                   body(s.body, next);
                 },
                 [&](const syntax::Try& s) {
                   body(s.body, next);
                   for (const auto& handler : s.handlers) {
                     if (!handler.name.empty()) bind(handler.name, {Item(Poison{})});
                     body(handler.body, next);
                   }
                   body(s.orelse, next);
                   body(s.finalbody, next);
                 },
                 [&](const syntax::Match& s) {
                   for (const auto& match_case : s.cases) {
                     for (std::string_view assigned : assigned_names(match_case.body)) bind(assigned, {Item(Poison{})});
                   }
                 },
                 [](const auto&) {},
             },
             stmt.node);
  return Flow::Next;
}

void Lowering::expression_statement(const syntax::ExprStmt& s, const Stmt& stmt) {
  auto* constant = std::get_if<syntax::Constant>(&s.value->node);
  if (constant && (constant->kind == syntax::ConstantKind::Str || constant->kind == syntax::ConstantKind::Ellipsis))
    return;
  eval(*s.value);
}

Lowering::StaticTest Lowering::static_test(const Expr& test) {
  if (static_call(test)) {
    Item item = static_value(test);
    if (poisoned(item)) return {true, std::nullopt};
    if (!has_truth(std::get<Value>(item))) {
      error(ErrorKind::Type, test.range, no_truth(std::get<Value>(item)));
      return {true, std::nullopt};
    }
    return {true, truth(std::get<Value>(item))};
  }
  // `x is None` is known for whatever is no number at run time.
  auto* compare = std::get_if<syntax::Compare>(&test.node);
  if (!compare || compare->ops.size() != 1) return {};
  auto op = compare->ops[0];
  auto* none = std::get_if<syntax::Constant>(&compare->comparators[0]->node);
  auto* name = std::get_if<syntax::Name>(&compare->left->node);
  bool is = op == syntax::CmpOperator::Is;
  if ((!is && op != syntax::CmpOperator::IsNot) || !none || none->kind != syntax::ConstantKind::None || !name)
    return {};
  Binding* binding = find_local(name->id);
  auto* item = binding ? std::get_if<Item>(&binding->what) : nullptr;
  if (!item) return {};
  if (poisoned(*item)) return {true, std::nullopt};
  auto* value = std::get_if<Value>(item);
  return {true, (value && std::holds_alternative<None>(*value)) == is};
}

bool Lowering::on_header_line(Body statements, const Stmt& header) {
  if (!options_.wants(ir::Instrument::Arcs) || statements.empty()) return false;
  auto* branch = std::get_if<syntax::If>(&header.node);
  if (branch && !branch->orelse.empty() && statements[0] == branch->orelse[0])
    return false;  // `else:` has a line of its own
  const Range& range = statements[0]->range;
  std::string line = source_line(frame().source->module->source, range.line);
  return line.find_first_not_of(" \t\f") < static_cast<size_t>(range.col);
}

Flow Lowering::suite(Body statements, const Stmt& header, int32_t next) {
  int32_t line = on_header_line(statements, header) ? line_of(statements[0]->range) : 0;
  int32_t outer = std::exchange(suite_line_, line);
  Flow flow = body(statements, next);
  suite_line_ = outer;
  if (flow == Flow::Next && line != 0) probe(line, next);
  return flow;
}

Flow Lowering::if_statement(const syntax::If& s, const Stmt& stmt, int32_t next) {
  if (auto test = static_test(*s.test); test.is_static) {
    if (!test.value) return Flow::Next;
    Body chosen = *test.value ? s.body : s.orelse;
    edge(stmt, chosen, next);
    return suite(chosen, stmt, next);
  }
  auto test = this->test(*s.test);
  // A test that is wrong stands for any: its arms are read for their errors.
  return runtime_if(s, test ? *test : constant(Type::U1, Value(false)), stmt, next);
}

Flow Lowering::runtime_if(const syntax::If& s, InstId condition, const Stmt& stmt, int32_t next) {
  InstId branch = build_.inst(Op::If, Type::Void, {condition});
  Body arms[2] = {s.body, s.orelse};
  Flow flows[2];
  bool edges = !is_constant_test(*s.test);
  ++frame().runtime_depth;
  for (int i = 0; i < 2; ++i) {
    ir::BlockId block;
    push_scope();
    flows[i] = in_new_block(block, [&] {
      probed_ = {build_.block(), line_of(stmt.range)};
      if (edges) edge(stmt, arms[i], next);
      return suite(arms[i], stmt, next);
    });
    pop_scope(stmt.range);
    kernel_[branch].blocks[i] = block;
  }
  --frame().runtime_depth;
  return flows[0] == Flow::Left && flows[1] == Flow::Left ? Flow::Left : Flow::Next;
}

Flow Lowering::break_statement(const Stmt& stmt) {
  auto& loops = frame().loops;
  if (loops.empty()) return error(ErrorKind::Syntax, stmt.range, "`break` outside of a loop"), Flow::Next;
  LoopContext& loop = loops.back();
  if (line_of(stmt.range) == suite_line_) probe(suite_line_, loop.next);
  if (loop.unrolled) {
    if (frame().runtime_depth == loop.runtime_depth) return Flow::StaticBreak;
    error(ErrorKind::Syntax, stmt.range,
          "`break` of a static `for` cannot stand under an `if` that is decided at run time");
    return Flow::Left;
  }
  if (loop.outermost_parallel) {
    error(ErrorKind::Syntax, stmt.range,
          "Cannot break in the outermost loop: it runs in parallel; qd.loop_config(serialize=True) makes it serial");
    return Flow::Left;
  }
  loop.broken |= covered_;  // a dead `break` leaves no loop
  build_.inst(Op::Break, Type::Void, {});
  return Flow::Left;
}

Flow Lowering::continue_statement(const Stmt& stmt) {
  auto& loops = frame().loops;
  if (loops.empty()) return error(ErrorKind::Syntax, stmt.range, "`continue` outside of a loop"), Flow::Next;
  LoopContext& loop = loops.back();
  if (line_of(stmt.range) == suite_line_) probe(suite_line_, loop.line);
  if (loop.unrolled) {
    if (frame().runtime_depth == loop.runtime_depth) return Flow::StaticContinue;
    error(ErrorKind::Syntax, stmt.range,
          "`continue` of a static `for` cannot stand under an `if` that is decided at run time");
    return Flow::Left;
  }
  build_.inst(Op::Continue, Type::Void, {});
  return Flow::Left;
}

Flow Lowering::return_statement(const syntax::Return& s, const Stmt& stmt) {
  Item value = s.value ? eval(*s.value) : Item(Value(None{}));
  if (line_of(stmt.range) == suite_line_) probe(suite_line_, -frame().first_line);
  if (frame().early) return early_return(value, s, stmt);
  if (frame().runtime_depth > 0) {
    const char* kind =
        frames_.size() > 1 ? "; make the function a @qd.real_func, which may return anywhere" : " in a kernel";
    error(ErrorKind::Syntax, stmt.range, fmt::format("Return inside non-static if/for is not supported{}", kind));
    frame().returned = true;  // not the place, but no kernel without a return either
    return Flow::Left;
  }
  frame().returned = true;
  frame().result = std::move(value);
  lower_results(s, stmt);
  return Flow::Left;
}

}  // namespace qd::frontend
