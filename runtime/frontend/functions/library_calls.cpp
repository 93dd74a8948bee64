// Funcs of the language itself: their texts, and the requirements on their arguments.
#include "runtime/frontend/functions/library_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/interface/module_environment.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/tensors.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {
namespace {

/// Funcs that take a square matrix `A`, a type `dt` at the end, and perhaps a vector `b`. The decorators in the text
/// say the same to arch=qd.python.
struct OfMatrix {
  std::string_view name;
  int32_t least, most;  // rows
};
constexpr OfMatrix kOfMatrices[] = {
    {"svd", 2, 3}, {"polar_decompose", 2, 3}, {"eig", 2, 2}, {"sym_eig", 2, 6}, {"make_spd", 2, 6}, {"solve", 2, 3},
};

std::atomic<std::shared_ptr<Environment>*> read_library =
    nullptr;  // never destroyed: programs may launch until the end

/// The environment of the library, read by the first call. Two threads may do so at once; one then works in vain. A
/// static variable would have a lock: a process that forks while another thread reads would leave its child waiting.
Environment& library() {
  if (const auto* known = read_library.load()) return **known;
  syntax::ParseResult parsed = syntax::parse(std::string(library_text()));
  if (!parsed.module) throw std::logic_error("the funcs of the kernel language do not parse");
  auto* own = new std::shared_ptr<Environment>(module_environment(std::move(parsed.module), "qd", true));
  std::shared_ptr<Environment>* other = nullptr;
  if (read_library.compare_exchange_strong(other, own)) return **own;
  delete own;
  return **other;
}

/// Makes the indices of a field, or of the fields of a struct, begin at 0.
Value from_first(Value value) {
  if (auto* field = std::get_if<HostField>(&value)) field->offset.clear();
  if (auto* structure = std::get_if<ConstantStruct>(&value)) {
    for (Value& member : structure->members) member = from_first(std::move(member));
  }
  return value;
}
void count_from_first(Item& item) {
  if (auto* value = std::get_if<Value>(&item)) item = from_first(std::move(*value));
  if (auto* record = std::get_if<Record>(&item)) {
    for (Item& member : record->members) count_from_first(member);
  }
}

}  // namespace

Item call_library(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  auto func = library().lookup(info.name.substr(info.name.rfind('.') + 1));
  if (!func || !std::holds_alternative<Func>(*func))
    throw std::logic_error(fmt::format("no func {} of the language", info.name));
  return call_func(c, std::get<Func>(*func), e, expr);
}

bool prepare_library_arguments(Compilation& c, const Func& func, std::vector<BoundArgument>& bound, const Range& call) {
  if (func.source->top_level) {
    for (BoundArgument& argument : bound) count_from_first(argument.item);
  }
  const std::string_view name = func.source->function().name;
  const auto* of = std::ranges::find_if(kOfMatrices, [&](const OfMatrix& row) { return row.name == name; });
  if (of == std::end(kOfMatrices)) return true;
  auto range_of = [&](const BoundArgument& argument) { return argument.expr ? argument.expr->range : call; };
  auto fail = [&](const BoundArgument& argument, std::string message) {
    c.report.error(ErrorKind::Type, range_of(argument), std::move(message));
    return false;
  };
  BoundArgument& dt = bound.back();
  if (!dt.expr) dt.item = Value(None{});
  const auto failed = [&] {
    return std::ranges::any_of(bound, [](const BoundArgument& argument) { return poisoned(argument.item); });
  };
  if (failed()) return false;
  ir::Type type = c.options.default_fp;
  if (!known_as<None>(dt.item)) {
    auto given = dtype_argument(c, dt.item, range_of(dt));
    if (!given) return false;
    type = *given;
  }
  if (type != ir::Type::F32 && type != ir::Type::F64)
    return fail(dt, fmt::format("`{}` computes in qd.f32 or qd.f64, not in qd.{}", name, ir::name(type)));
  dt.item = Value(type);

  BoundArgument& matrix = bound[0];
  auto a = as_tensor(c, matrix.item, range_of(matrix));
  const bool square = a && a->shape.size() == 2 && a->shape[0] == a->shape[1];
  if (!square || a->shape[0] < of->least || a->shape[0] > of->most) {
    const std::string sizes = of->least == of->most
                                  ? fmt::format("a {0}x{0} matrix", of->least)
                                  : fmt::format("a square matrix of {} to {} rows", of->least, of->most);
    return fail(matrix, fmt::format("`{}` takes {}, not {}", name, sizes, describe_item(c, matrix.item)));
  }
  matrix.item = convert_tensor(c, *a, type);
  if (bound.size() == 3) {
    BoundArgument& vector = bound[1];
    auto b = as_tensor(c, vector.item, range_of(vector));
    if (!b || b->shape != std::vector{a->shape[0]}) {
      return fail(vector, fmt::format("`{}` takes a vector of {} components with this matrix, not {}", name,
                                      a->shape[0], describe_item(c, vector.item)));
    }
    vector.item = convert_tensor(c, *b, type);
  }
  return !failed();
}

}  // namespace qd::frontend
