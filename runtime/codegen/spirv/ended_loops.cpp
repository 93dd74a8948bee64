// Detection of loops that the driver has ended early without an error (SpirvDevice::loop_limit).
#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/codegen/spirv/repeat.h"

namespace qd::codegen::spirv {

/// Tells the host whether the driver's limit was reached. The driver counts the rounds of all loops of an invocation
/// together. Beyond its limit, each loop ends after its first round. So a loop of two rounds behind all others is the
/// test: did its second round run? A compiler must not know the answer, because it takes for granted that loops run to
/// their end. So the number of rounds comes from memory, and their result goes through memory.
void FunctionEmitter::tell_ended_loops(uint32_t local_size) {
  Arithmetic& a = arithmetic_;
  const Id rounds_seen = module_.group_variable(module_.array_type(a.u32(), local_size));
  const Id pointer_type = module_.pointer_type(spv::StorageClassWorkgroup, a.u32());
  const Id own = code_.load(a.u32(), module_.input(spv::BuiltInLocalInvocationIndex, a.u32()));
  const Id word = code_.op(spv::OpAccessChain, pointer_type, {rounds_seen, own});
  const Id messages = launch_field(offsetof(DeviceLaunch, messages));
  // 2: the lowest bits of an address are 0.
  const Id zero = a.integer(spv::OpBitwiseAnd, a.narrow(messages), a.number(1));
  const Id rounds = a.integer(spv::OpIAdd, zero, a.number(2));
  code_.store(word, a.number(0));
  repeat(code_, rounds, [&](Id index) { code_.store(word, index); });
  code_.when(a.test(spv::OpIEqual, code_.load(a.u32(), word), a.number(0)), [&] {
    atomic(spv::OpAtomicOr, {.address = beyond(messages, offsetof(DeviceMessages, failed))}, 32, a.number(kLoopsEnded));
  });
}

}  // namespace qd::codegen::spirv
