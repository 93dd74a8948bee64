// Prints, warnings and asserts: messages in the memory that abi/device_launch.h describes.
#include <stdexcept>

#include "runtime/codegen/spirv/function_emitter.h"
#include "runtime/codegen/spirv/repeat.h"

namespace qd::codegen::spirv {

namespace {

uint64_t first_word(DeviceMessageKind kind, uint32_t format, size_t values) {
  return static_cast<uint64_t>(kind) | uint64_t{format} << 8 | uint64_t{values} << 40;
}

}  // namespace

void FunctionEmitter::emit_assert(const ir::Inst& inst) {
  const Id condition = value(kernel_.operands_of(inst)[0]);
  const Id wrong = code_.label(), held = code_.label();
  code_.choose(condition, held, wrong, held);
  code_.begin(wrong);
  if (inst.op == ir::Op::Warn) {
    tell(DeviceMessageKind::Warn, inst, 1);
    code_.branch(held);
  } else {
    tell_failure(inst);
    leave();
  }
  code_.begin(held);
}

void FunctionEmitter::emit_print(const ir::Inst& inst) { tell(DeviceMessageKind::Print, inst, 0); }

/// Writes the values of a format as words.
void FunctionEmitter::write_values(Id address, const ir::Inst& inst, size_t first) {
  uint64_t offset = 0;
  for (ir::InstId operand : kernel_.operands_of(inst).subspan(first)) {
    const Id word = arithmetic_.to_word(kernel_[operand].type, value(operand));
    write(beyond(address, offset), word, arithmetic_.u64(), 8);
    offset += 8;
  }
}

void FunctionEmitter::tell(DeviceMessageKind kind, const ir::Inst& inst, size_t first) {
  const size_t values = inst.operand_count - first;
  const Id words = arithmetic_.number(static_cast<uint32_t>(values + 1));
  const Id messages = launch_field(offsetof(DeviceLaunch, messages));
  const Id u64 = arithmetic_.u64();
  const Id room = code_.op(spv::OpFunctionCall, u64, {room_for_message(), messages, words});
  code_.when(arithmetic_.test(spv::OpINotEqual, room, arithmetic_.wide(0)), [&] {
    write(room, arithmetic_.wide(first_word(kind, inst.aux, values)), u64, 8);
    write_values(beyond(room, 8), inst, first);
  });
}

/// A function that takes the address of the messages and a number of words. It gives the address of room for as many;
/// or 0, and counts a lost message. Once there is no room, nothing is taken any more, so that `next` cannot wrap.
Id FunctionEmitter::room_for_message() {
  if (shared_.room_for_message != 0) return shared_.room_for_message;
  const ir::Type parameters[] = {ir::Type::U64, ir::Type::U32}, results[] = {ir::Type::U64};
  FunctionEmitter function(shared_, kernel_, results, parameters, Arithmetic::Mode::Exact);
  shared_.room_for_message = function.emit_room_for_message();
  return shared_.room_for_message;
}

Id FunctionEmitter::emit_room_for_message() {
  Arithmetic& a = arithmetic_;
  const Id messages = code_.parameter(0), words = code_.parameter(1);
  const Id next = beyond(messages, offsetof(DeviceMessages, next));
  const Id capacity = read(beyond(messages, offsetof(DeviceMessages, capacity)), a.u32(), 4);
  const Id taken =
      code_.op(spv::OpAtomicLoad, a.u32(),
               {pointer(next, a.u32()), a.number(spv::ScopeDevice), a.number(spv::MemorySemanticsMaskNone)});
  code_.when(a.test(spv::OpULessThan, taken, capacity), [&] {
    const Id start = atomic(spv::OpAtomicIAdd, {.address = next}, 32, words);
    const Id end = a.integer(spv::OpIAdd, start, words);
    const Id offset = a.wide_integer(spv::OpIMul, a.widen(start, false), a.wide(8));
    const Id place = a.wide_integer(spv::OpIAdd, beyond(messages, sizeof(DeviceMessages)), offset);
    code_.when(a.test(spv::OpULessThanEqual, end, capacity), [&] { code_.give_back(place); });
    code_.when(a.test(spv::OpULessThan, start, capacity), [&] { write(place, a.wide(kNoMessage), a.u64(), 8); });
  });
  atomic(spv::OpAtomicIAdd, {.address = beyond(messages, offsetof(DeviceMessages, lost))}, 32, a.number(1));
  code_.give_back(a.wide(0));
  code_.finish();
  return code_.id();
}

/// Writes the message of the first assert that fails in a launch.
void FunctionEmitter::tell_failure(const ir::Inst& inst) {
  Arithmetic& a = arithmetic_;
  const size_t values = inst.operand_count - 1;
  if (2 + values + kernel_.routines.size() > kFailWords)
    throw std::runtime_error("an assert has more values than a SPIR-V device can tell of");
  const Id messages = launch_field(offsetof(DeviceLaunch, messages));
  const Id before = atomic(spv::OpAtomicOr, {.address = beyond(messages, offsetof(DeviceMessages, failed))}, 32,
                           a.number(kAssertFailed));
  const Id told = a.integer(spv::OpBitwiseAnd, before, a.number(kAssertFailed));
  code_.when(a.test(spv::OpIEqual, told, a.number(0)), [&] {
    const Id capacity = read(beyond(messages, offsetof(DeviceMessages, capacity)), a.u32(), 4);
    const Id offset = a.wide_integer(spv::OpIMul, a.widen(capacity, false), a.wide(8));
    const Id place = a.wide_integer(spv::OpIAdd, beyond(messages, sizeof(DeviceMessages)), offset);
    write(place, a.wide(first_word(DeviceMessageKind::Fail, inst.aux, values)), a.u64(), 8);
    const Id depth = is_routine_ && shared_.depth != 0 ? code_.load(a.u32(), shared_.depth) : a.number(0);
    write(beyond(place, 8), a.widen(depth, false), a.u64(), 8);
    write_values(beyond(place, 16), inst, 1);
    if (!is_routine_ || shared_.depth == 0) return;
    const Id calls = beyond(place, 16 + 8 * values);
    const Id pointer_type = module_.pointer_type(spv::StorageClassPrivate, a.u64());
    repeat(code_, depth, [&](Id index) {
      const Id from = a.integer(spv::OpISub, a.integer(spv::OpISub, depth, a.number(1)), index);
      const Id call = code_.load(a.u64(), code_.op(spv::OpAccessChain, pointer_type, {shared_.calls, from}));
      const Id to = a.wide_integer(spv::OpIMul, a.widen(index, false), a.wide(8));
      write(a.wide_integer(spv::OpIAdd, calls, to), call, a.u64(), 8);
    });
  });
}

void FunctionEmitter::leave() {
  if (!is_routine_) return code_.give_back();
  if (shared_.failed == 0) shared_.failed = module_.private_variable(arithmetic_.truth());
  code_.store(shared_.failed, module_.truth(true));
  code_.give_back(results_.empty() ? 0 : module_.null(code_.result_type()));
}

}  // namespace qd::codegen::spirv
