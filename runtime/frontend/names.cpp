// What a name means: a local of the function, or something outside of it; and how long locals live.
#include <fmt/format.h>

#include "runtime/frontend/lowering.h"
#include "runtime/syntax/tree_walk.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::overloaded;
using syntax::Stmt;

Binding* Lowering::find_local(std::string_view name) {
  auto& scopes = frame().scopes;
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
    if (auto it = scope->find(name); it != scope->end()) return &it->second;
  }
  return nullptr;
}

Item Lowering::name(const Expr& expr) {
  std::string_view id = std::get<syntax::Name>(expr.node).id;
  if (Binding* binding = find_local(id)) return read(*binding);
  auto value = outer_name(id, expr.range);
  if (!value) return Poison{};
  check_pure(id, *value, expr.range, false);
  return std::move(*value);
}

Item Lowering::read(Binding& binding) {
  return std::visit(
      overloaded{
          [&](const Variable& v) -> Item { return Number{build_.load(v.place), v.type}; },
          [&](const ParamRef& p) -> Item {
            ir::Type type = kernel_.params[p.index].type;
            return Number{build_.inst(ir::Op::Arg, type, {}, p.index), type};
          },
          [&](const LoopIndexRef& l) -> Item {
            auto index = [&](uint32_t axis) -> Item {
              return Number{build_.inst(ir::Op::LoopIndex, ir::Type::I32, {}, static_cast<uint32_t>(l.loop), axis),
                            ir::Type::I32};
            };
            if (!l.grouped) return index(l.axis);
            if (l.vector) {
              Tensor tensor{ir::Type::I32, {static_cast<int32_t>(l.axes)}, {}};
              for (uint32_t axis = 0; axis < l.axes; ++axis)
                tensor.numbers.push_back(std::get<Number>(index(l.axis + axis)).id);
              return tensor;
            }
            Items items;
            for (uint32_t axis = 0; axis < l.axes; ++axis) items.list.push_back(index(l.axis + axis));
            return items;
          },
          [&](const Item& item) -> Item { return item; },
          [&](const CompoundVariable& v) -> Item { return as_shared(*v.place, in_parallel_ && v.shared); },
      },
      binding.what);
}

std::optional<Value> Lowering::outer_name(std::string_view name, const Range& range) {
  if (auto gone = frame().gone.find(name); gone != frame().gone.end()) {
    error(ErrorKind::Name, range,
          fmt::format(
              "`{}` is gone: it was first assigned inside the block of line {}, and lives only there; assign it before "
              "that block",
              name, gone->second));
    return std::nullopt;
  }
  if (frame().assigned.contains(name)) {
    error(ErrorKind::Name, range, fmt::format("`{}` is used before it is assigned", name));
    return std::nullopt;
  }
  if (auto value = frame().environment->lookup(name)) return value;
  if (auto value = python_builtin(name)) return value;
  error(ErrorKind::Name, range, fmt::format("name `{}` is not defined", name));
  return std::nullopt;
}

void Lowering::pop_scope(const Range& block) {
  for (const auto& [name, binding] : frame().scopes.back()) frame().gone[name] = line_of(block);
  frame().scopes.pop_back();
}

void Lowering::bind(std::string_view name, Binding binding) {
  binding.block = build_.block();
  frame().gone.erase(name);
  frame().scopes.back().insert_or_assign(name, std::move(binding));
}

void Lowering::declare_loop_variable(std::string_view name, Binding binding, const Range& range) {
  if (name == "_") {
    frame().scopes.back().insert_or_assign(name, std::move(binding));
    return;
  }
  if (find_local(name)) {
    error(ErrorKind::Syntax, range,
          fmt::format("`{}` is already a variable here; a loop needs a name of its own", name));
  }
  bind(name, std::move(binding));
}

namespace {

void collect_target(const Expr& target, std::unordered_set<std::string_view>& names) {
  std::visit(overloaded{
                 [&](const syntax::Name& n) { names.insert(n.id); },
                 [&](const syntax::Tuple& t) {
                   for (const Expr* e : t.elts) collect_target(*e, names);
                 },
                 [&](const syntax::ListExpr& t) {
                   for (const Expr* e : t.elts) collect_target(*e, names);
                 },
                 [&](const syntax::Starred& s) { collect_target(*s.value, names); },
                 [](const auto&) {},
             },
             target.node);
}

// `:=` binds a name of the function wherever it stands, in a comprehension too.
void collect_walruses(const Expr& expr, std::unordered_set<std::string_view>& names) {
  syntax::walk_expression(expr, [&](const Expr& part) {
    if (auto* named = std::get_if<syntax::NamedExpr>(&part.node)) collect_target(*named->target, names);
    return true;
  });
}

void collect(syntax::List<syntax::StmtPtr> body, std::unordered_set<std::string_view>& names) {
  for (const Stmt* stmt : body) {
    syntax::for_each_expression(*stmt, [&](const Expr& expr) { collect_walruses(expr, names); });
    std::visit(overloaded{
                   [&](const syntax::Assign& s) {
                     for (const Expr* target : s.targets) collect_target(*target, names);
                   },
                   [&](const syntax::AugAssign& s) { collect_target(*s.target, names); },
                   [&](const syntax::AnnAssign& s) { collect_target(*s.target, names); },
                   [&](const syntax::For& s) {
                     collect_target(*s.target, names);
                     collect(s.body, names);
                     collect(s.orelse, names);
                   },
                   [&](const syntax::While& s) {
                     collect(s.body, names);
                     collect(s.orelse, names);
                   },
                   [&](const syntax::If& s) {
                     collect(s.body, names);
                     collect(s.orelse, names);
                   },
                   [](const auto&) {},
               },
               stmt->node);
  }
}

}  // namespace

std::unordered_set<std::string_view> assigned_names(syntax::List<syntax::StmtPtr> body) {
  std::unordered_set<std::string_view> names;
  collect(body, names);
  return names;
}

bool assigns(syntax::List<syntax::StmtPtr> body, std::string_view name) { return assigned_names(body).contains(name); }

}  // namespace qd::frontend
