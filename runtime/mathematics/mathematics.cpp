#include "runtime/mathematics/mathematics.h"

#include "runtime/mathematics/functions.h"

namespace qd::mathematics {
namespace {

Value value(Function function, Value x, Value y) {
  switch (function) {
#define QD_FUNCTION(name, function, derivative) \
  case Function::name: return function##_of(x);
#include "runtime/ir/operators.def"
    case Function::Exp2: return exp2_of(x);
    case Function::Atan2: return atan2_of(x, y);
    case Function::Pow: return pow_of(x, y);
  }
  return x;
}

}  // namespace

std::string_view name(Function function) {
  constexpr std::string_view kNames[] = {
#define QD_FUNCTION(name, function, derivative) #function,
#include "runtime/ir/operators.def"
      "exp2", "atan2", "pow"};
  static_assert(std::size(kNames) == kFunctions);
  return kNames[static_cast<size_t>(function)];
}

ir::Kernel formula(Function function, ir::Type type, bool alone) {
  ir::Kernel kernel;
  kernel.name = name(function);
  kernel.functions.push_back({"", kernel.name, 1});
  kernel.locations.push_back({});
  kernel.body = kernel.add_block();
  ir::Routine routine{kernel.name, std::vector<ir::Type>(arity(function), type), {type}, kernel.add_block()};
  kernel.routines.push_back(routine);
  Notation notation(kernel, routine.body, alone);
  const Value x = notation.inst(ir::Op::CallArg, type, {}, 0);
  const Value y = notation.inst(ir::Op::CallArg, type, {}, static_cast<uint32_t>(arity(function) - 1));
  const Value result = value(function, x, y);
  notation.inst(ir::Op::Return, ir::Type::Void, {result.id()});
  return kernel;
}

}  // namespace qd::mathematics
