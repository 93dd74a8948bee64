// A loop of the emitter's own.
#pragma once

#include "runtime/codegen/spirv/code.h"

namespace qd::codegen::spirv {

/// for (u32 i = 0; i < count; ++i) body(i). The body must not leave the loop.
template <class Body>
void repeat(Code& code, Id count, Body&& body) {
  Module& module = code.module();
  const Id u32 = module.int_type(32);
  const Id before = code.block(), header = code.label(), inside = code.label(), next = code.label(),
           done = code.label(), following = module.fresh();
  code.branch(header);
  code.begin(header);
  const Id index = code.op(spv::OpPhi, u32, {module.number(0), before, following, next});
  code.loop_if(code.op(spv::OpULessThan, module.bool_type(), {index, count}), inside, done, done, next);
  code.begin(inside);
  body(index);
  code.branch(next);
  code.begin(next);
  const Id sum[] = {index, module.number(1)};
  code.op_as(following, spv::OpIAdd, u32, sum);
  code.branch(header);
  code.begin(done);
}

}  // namespace qd::codegen::spirv
