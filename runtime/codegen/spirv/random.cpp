// Random numbers, and the clock.
#include "runtime/codegen/spirv/arithmetic.h"
#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

using ir::Type;

/// xoroshiro128+ of Blackman and Vigna, https://prng.di.unimi.it/xoroshiro128plus.c
Id Arithmetic::random(Type type) {
  auto rotate = [&](Id x, uint32_t count) {
    return wide_integer(spv::OpBitwiseOr, wide_integer(spv::OpShiftLeftLogical, x, number(count)),
                        wide_integer(spv::OpShiftRightLogical, x, number(64 - count)));
  };
  const Id first = shared_.random_state(0), second = shared_.random_state(1);
  const Id s0 = code_.load(u64(), first);
  Id s1 = code_.load(u64(), second);
  const Id result = wide_integer(spv::OpIAdd, s0, s1);
  s1 = wide_integer(spv::OpBitwiseXor, s1, s0);
  const Id mixed = wide_integer(spv::OpBitwiseXor, rotate(s0, 24), s1);
  code_.store(first, wide_integer(spv::OpBitwiseXor, mixed, wide_integer(spv::OpShiftLeftLogical, s1, number(16))));
  code_.store(second, rotate(s1, 37));
  // The high bits are the better ones.
  auto high = [&](uint32_t bits) { return wide_integer(spv::OpShiftRightLogical, result, number(64 - bits)); };
  auto fraction = [&](Type real_type, uint32_t bits, double unit) {
    const Id whole = real_type == Type::F64 ? high(bits) : narrow(high(bits));
    return exact(spv::OpFMul, real_type,
                 {code_.op(spv::OpConvertUToF, this->type(real_type), {whole}), real(real_type, unit)});
  };
  if (type == Type::F64) return fraction(Type::F64, 53, 0x1p-53);
  if (type == Type::F32) return fraction(Type::F32, 24, 0x1p-24);
  if (type == Type::F16) return fraction(Type::F32, 11, 0x1p-11);  // exact as an f16
  if (ir::bit_width(type) == 64) return result;
  return from_word(type, high(static_cast<uint32_t>(ir::bit_width(type))));
}

Id Arithmetic::clock() {
  if (!shared_.device.clock) return wide(0);
  module_.extension("SPV_KHR_shader_clock");
  module_.capability(spv::CapabilityShaderClockKHR);
  return code_.op(spv::OpReadClockKHR, u64(), {number(spv::ScopeSubgroup)});
}

/// Seeds the random numbers of an invocation by the task's seed and its number: two numbers of SplitMix64 by Steele,
/// Lea and Flood, https://prng.di.unimi.it/splitmix64.c
void FunctionEmitter::begin_random() {
  Arithmetic& a = arithmetic_;
  const Id number = a.widen(component_of_input(spv::BuiltInGlobalInvocationId), false);
  Id state = a.wide_integer(spv::OpBitwiseXor, push_constant(offsetof(TaskArguments, seed)),
                            a.wide_integer(spv::OpShiftLeftLogical, number, a.number(20)));
  auto mixed = [&](Id x, uint32_t count) {
    return a.wide_integer(spv::OpBitwiseXor, x, a.wide_integer(spv::OpShiftRightLogical, x, a.number(count)));
  };
  for (size_t word = 0; word < 2; ++word) {
    state = a.wide_integer(spv::OpIAdd, state, a.wide(0x9e3779b97f4a7c15u));
    Id z = a.wide_integer(spv::OpIMul, mixed(state, 30), a.wide(0xbf58476d1ce4e5b9u));
    z = a.wide_integer(spv::OpIMul, mixed(z, 27), a.wide(0x94d049bb133111ebu));
    code_.store(shared_.random_state(word), mixed(z, 31));
  }
}

}  // namespace qd::codegen::spirv
