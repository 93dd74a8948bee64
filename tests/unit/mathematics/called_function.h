// A mathematical function as kernels call it: compiled, in a loop over arrays, which LLVM vectorises or not.
#pragma once

#include <vector>

#include "runtime/mathematics/mathematics.h"
#include "tests/unit/codegen/task_builder.h"

namespace qd::mathematics::testing {

inline ir::InstId call(codegen::testing::TaskBuilder& b, Function function, ir::InstId x, ir::InstId y) {
  auto unary = [&](ir::UnaryOp op) { return b.inst(ir::Op::Unary, b.kernel[x].type, static_cast<uint32_t>(op), {x}); };
  switch (function) {
#define QD_FUNCTION(name, function, derivative) \
  case Function::name: return unary(ir::UnaryOp::name);
#include "runtime/ir/operators.def"
    case Function::Exp2: {  // as the front end has it
      const ir::Type type = b.kernel[x].type;
      const uint64_t two = type == ir::Type::F64 ? std::bit_cast<uint64_t>(2.0) : std::bit_cast<uint32_t>(2.0F);
      return b.binary(ir::BinaryOp::Pow, b.inst(ir::Op::Const, type, 0, {}, two), x);
    }
    case Function::Atan2: return b.binary(ir::BinaryOp::Atan2, x, y);
    case Function::Pow: return b.binary(ir::BinaryOp::Pow, x, y);
  }
  return x;
}

enum class Loads : uint8_t { Usual, Volatile };

/// out[i] = function(x[i], y[i]), of float or double. A loop with volatile loads is not vectorised.
template <class T>
class CalledFunction {
 public:
  CalledFunction(Function function, size_t length, Loads loads = Loads::Usual)
      : x(length), y(length), out(length), builder_({0, static_cast<int32_t>(length)}) {
    const std::vector<int32_t> shape{static_cast<int32_t>(length)};
    const uint32_t arrays[] = {builder_.array(x, shape), builder_.array(y, shape), builder_.array(out, shape)};
    auto given = [&](uint32_t array) {
      const ir::InstId element = builder_.element(array, {builder_.index()});
      if (loads == Loads::Usual) return builder_.load(element);
      return builder_.inst(ir::Op::VolatileLoad, builder_.kernel[element].type, 0, {element});
    };
    const ir::InstId first = given(arrays[0]);
    const ir::InstId second = given(arrays[1]);
    const ir::InstId result = call(builder_, function, first, second);
    builder_.store(builder_.element(arrays[2], {builder_.index()}), result);
  }

  /// Only the first call says whether with fast_math.
  void run(bool fast_math = false) { builder_.run(0, static_cast<int64_t>(x.size()), fast_math); }
  /// One element, with scalar code.
  void run_one(size_t i, bool fast_math = false) {
    builder_.run(static_cast<int64_t>(i), static_cast<int64_t>(i) + 1, fast_math);
  }

  std::vector<T> x, y, out;

 private:
  codegen::testing::TaskBuilder builder_;
};

}  // namespace qd::mathematics::testing
