#include "runtime/codegen/spirv/code.h"

#include <cassert>

namespace qd::codegen::spirv {

Code::Code(Module& module, Id result, std::span<const Id> parameters)
    : module_(module),
      id_(module.fresh()),
      result_(result),
      type_(module.function_type(result, parameters)),
      parameter_types_(parameters.begin(), parameters.end()),
      first_(module.fresh()) {
  for (size_t i = 0; i < parameters.size(); ++i) parameters_.push_back(module.fresh());
  begin(first_);
}

void Code::op_as(Id id, spv::Op op, Id type, std::span<const uint32_t> operands) {
  assert(!ended());
  Words words{type, id};
  words.insert(words.end(), operands.begin(), operands.end());
  put(*out_, op, words);
}

Id Code::glsl(GLSLstd450 function, Id type, std::initializer_list<Id> operands) {
  Words words{module_.glsl(), static_cast<uint32_t>(function)};
  words.insert(words.end(), operands.begin(), operands.end());
  return op(spv::OpExtInst, type, words);
}

Id Code::variable(Id type) {
  const Id pointer = module_.pointer_type(spv::StorageClassFunction, type);
  const Id id = module_.fresh();
  put(variables_, spv::OpVariable, {pointer, id, spv::StorageClassFunction});
  return id;
}

void Code::begin(Id label) {
  assert(ended());
  put(*out_, spv::OpLabel, {label});
  block_ = label;
}

void Code::branch(Id target) {
  act(spv::OpBranch, {target});
  block_ = 0;
}

void Code::choose(Id condition, Id yes, Id no, Id merge) {
  act(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
  act(spv::OpBranchConditional, {condition, yes, no});
  block_ = 0;
}

void Code::loop_if(Id condition, Id body, Id otherwise, Id merge, Id next) {
  module_.note_loop();
  act(spv::OpLoopMerge, {merge, next, spv::LoopControlMaskNone});
  if (condition != 0) {
    act(spv::OpBranchConditional, {condition, body, otherwise});
  } else {
    act(spv::OpBranch, {body});
  }
  block_ = 0;
}

void Code::leave_if(Id condition, Id broken, Id next) {
  act(spv::OpBranchConditional, {condition, broken, next});
  block_ = 0;
}

void Code::give_back(Id value) {
  if (value != 0) {
    act(spv::OpReturnValue, {value});
  } else {
    act(spv::OpReturn, {});
  }
  block_ = 0;
}

void Code::unreachable() {
  act(spv::OpUnreachable, {});
  block_ = 0;
}

void Code::finish() {
  assert(ended());
  Words out;
  put(out, spv::OpFunction, {result_, id_, spv::FunctionControlMaskNone, type_});
  for (size_t i = 0; i < parameters_.size(); ++i)
    put(out, spv::OpFunctionParameter, {parameter_types_[i], parameters_[i]});
  // The body begins with the label of the first block. Instructions of AtEntry belong to that block, too.
  constexpr size_t kLabel = 2;
  put(out, spv::OpLabel, {first_});
  out.insert(out.end(), variables_.begin(), variables_.end());
  out.insert(out.end(), entry_.begin(), entry_.end());
  out.insert(out.end(), body_.begin() + kLabel, body_.end());
  put(out, spv::OpFunctionEnd, {});
  module_.add_function(out);
}

}  // namespace qd::codegen::spirv
