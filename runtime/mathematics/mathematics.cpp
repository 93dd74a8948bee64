#include "runtime/mathematics/mathematics.h"

#include "runtime/mathematics/functions.h"

namespace qd::mathematics {
namespace {

Value value(Function function, Value x, Value y) {
  switch (function) {
    case Function::Sin: return sin_of(x);
    case Function::Cos: return cos_of(x);
    case Function::Tan: return tan_of(x);
    case Function::Asin: return asin_of(x);
    case Function::Acos: return acos_of(x);
    case Function::Atan: return atan_of(x);
    case Function::Sinh: return sinh_of(x);
    case Function::Cosh: return cosh_of(x);
    case Function::Tanh: return tanh_of(x);
    case Function::Exp: return exp_of(x);
    case Function::Exp2: return exp2_of(x);
    case Function::Log: return log_of(x);
    case Function::Atan2: return atan2_of(x, y);
    case Function::Pow: return pow_of(x, y);
  }
  return x;
}

}  // namespace

std::string_view name(Function function) {
  constexpr std::string_view kNames[] = {"sin",  "cos",  "tan", "asin", "acos", "atan",  "sinh",
                                         "cosh", "tanh", "exp", "exp2", "log",  "atan2", "pow"};
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
