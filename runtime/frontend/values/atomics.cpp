// Atomic operations and volatile loads, on numbers and on each component of vectors and matrices.
#include "runtime/frontend/values/atomics.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Range;

namespace {

bool is_local(Compilation& c, const NumberPlace& place) {
  InstId pointer = place.pointer;
  if (c.kernel[pointer].op == Op::LocalPtr) pointer = c.kernel.operands_of(pointer)[0];
  return c.kernel[pointer].op == Op::Alloca;
}

}  // namespace

Item atomic_on(Compilation& c, const BuiltinInfo& info, const Item& target, const std::vector<Item>& args,
               const Range& range) {
  if (auto* tensor = std::get_if<TensorPlace>(&target)) {
    std::vector<std::optional<Tensor>> tensors;
    for (const Item& arg : args) {
      const bool number = is_a_number(arg);
      tensors.push_back(number ? std::nullopt : as_tensor(c, arg, range));
      if (!number && (!tensors.back() || tensors.back()->shape != tensor->shape)) {
        return c.report.error(
            ErrorKind::Type, range,
            fmt::format("`{}` does not work on {} and {}", info.name, describe_item(c, target), describe_item(c, arg)));
      }
    }
    Tensor old{tensor->type, tensor->shape, {}};
    for (size_t i = 0; i < tensor->components.size(); ++i) {
      std::vector<Item> numbers = args;
      for (size_t k = 0; k < args.size(); ++k) {
        if (tensors[k]) numbers[k] = component_item(*tensors[k], i);
      }
      Item number = atomic_on(c, info, number_place(c, *tensor, i), numbers, range);
      if (poisoned(number)) return Poison{};
      old.numbers.push_back(std::get<Number>(number).id);
    }
    return old;
  }
  auto* place = std::get_if<NumberPlace>(&target);
  if (!place)
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("`{}` does not work on {}", info.name, describe_item(c, target)));
  std::vector<InstId> operands{place->pointer};
  for (const Item& arg : args) {
    auto value = coerce_stored(c, arg, place->type, range);
    if (!value) return Poison{};
    operands.push_back(*value);
  }
  auto op = static_cast<ir::AtomicOp>(info.operation);
  const bool exchange = info.kind == BuiltinKind::AtomicCas;
  bool integers_only = exchange || op == ir::AtomicOp::And || op == ir::AtomicOp::Or || op == ir::AtomicOp::Xor;
  if (integers_only && ir::is_float(place->type)) {
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("`{}` needs integers, not {}", info.name, ir::name(place->type)));
  }
  if (exchange) return Number{c.build.inst(Op::AtomicCas, place->type, operands), place->type};
  InstId old = c.build.inst(Op::AtomicRmw, place->type, operands, static_cast<uint32_t>(op));
  check_atomic(c, op, place->type, old, operands[1], range);
  return Number{old, place->type};
}

Item volatile_load(Compilation& c, const Item& place, const Range& range) {
  if (poisoned(place)) return Poison{};
  if (auto* tensor = std::get_if<TensorPlace>(&place)) {
    Tensor loaded{tensor->type, tensor->shape, {}};
    for (size_t i = 0; i < tensor->components.size(); ++i) {
      const Item number = volatile_load(c, number_place(c, *tensor, i), range);
      if (poisoned(number)) return Poison{};
      loaded.numbers.push_back(std::get<Number>(number).id);
    }
    return loaded;
  }
  auto* number = std::get_if<NumberPlace>(&place);
  if (!number || is_local(c, *number))
    return c.report.error(
        ErrorKind::Type, range,
        fmt::format("`volatile_load` takes an element of a field or an ndarray, such as x[i], not {}",
                    number || is_a_number(place) ? "a value of the thread's own" : describe_item(c, place)));
  return Number{c.build.inst(Op::VolatileLoad, number->type, {number->pointer}), number->type};
}

}  // namespace qd::frontend
