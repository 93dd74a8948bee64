// A print takes room among the words for messages, and writes its values there, if there is room:
//
//   room = call room(3)          # print(x, y): the first word, and two values
//   if room != 0: message[room] = ...; message[room + 1] = x; message[room + 2] = y
//
// The first assert that fails in a launch has a place of its own. Its thread adds the places of the calls around it on
// its way out, so that calls that succeed keep nothing, and recursion may be deep.
#include "runtime/passes/messages.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include "runtime/abi/device_launch.h"
#include "runtime/ir/builder.h"
#include "runtime/ir/calls.h"

namespace qd::passes {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::Builder;
using ir::CompareOp;
using ir::InstId;
using ir::Op;
using ir::Type;

/// Last result of a routine in which an assert may fail.
enum Failure : uint32_t {
  kHeld,
  kFailed,
  kTold,  // this thread has written the launch's message, to which each caller adds its place
};

class Messages {
 public:
  explicit Messages(ir::Kernel& kernel) : kernel_(kernel), failing_(ir::failing_routines(kernel)) {}

  void run() {
    for (size_t i = 0; i < failing_.size(); i++) {
      if (failing_[i]) kernel_.routines[i].results.push_back(Type::I32);
    }
    for (size_t i = 0; i < failing_.size(); i++) {
      lower(kernel_.routines[i].body);
      if (failing_[i]) return_held(kernel_.routines[i]);
    }
    for (const ir::Task& task : kernel_.tasks) {
      for (const BlockId block : {task.prologue, task.body, task.epilogue}) lower(block);
    }
  }

 private:
  void lower(BlockId block) {
    if (block == BlockId::None) return;
    std::vector<InstId> out;
    for (const InstId id : std::exchange(kernel_[block], {})) {
      const ir::Inst inst = kernel_[id];
      for (const BlockId inner : inst.blocks) lower(inner);
      Builder b(kernel_, out, inst.location);
      const InstId condition = inst.operand_count > 0 ? kernel_.operands_of(inst)[0] : InstId::None;
      if (inst.op == Op::Print) {
        tell(b, DeviceMessageKind::Print, inst, 0);
      } else if (inst.op == Op::Warn) {
        b.choose(condition, [] {}, [&] { tell(b, DeviceMessageKind::Warn, inst, 1); });
      } else if (inst.op == Op::Assert) {
        b.choose(condition, [] {}, [&] { fail(b, inst); });
      } else {
        out.push_back(id);
        if (inst.op == Op::Call && failing_[inst.aux]) leave_after(b, id);
      }
    }
    kernel_[block] = std::move(out);
  }

  // Prints and warnings.

  void tell(Builder& b, DeviceMessageKind kind, const ir::Inst& inst, size_t first) {
    const InstId words = b.constant(Type::U32, 1 + inst.operand_count - first);
    const InstId call = b.inst(Op::Call, Type::Void, {words}, room_for_message());
    const InstId room = b.inst(Op::CallResult, Type::I64, {}, static_cast<uint32_t>(call));
    b.when(b.compare(CompareOp::Ne, room, whole(b, 0)), [&] {
      write_format(b, room, kind, inst, first);
      write_values(b, add(b, room, 1), inst, first);
    });
  }

  /// The routine that takes room of a number of words. It gives the first one's number, or 0, and counts a lost
  /// message. Once there is no room, nothing is taken any more, so that `next` cannot wrap.
  uint32_t room_for_message() {
    if (room_) return *room_;
    room_ = add_routine("room", Type::U32, {Type::I64});
    Builder b(kernel_, kernel_.routines[*room_].body);
    const InstId words = b.inst(Op::CallArg, Type::U32, {}, 0);
    const InstId room = b.variable(Type::I64), next = field(b, offsetof(DeviceMessages, next));
    const InstId capacity = b.load(field(b, offsetof(DeviceMessages, capacity)));
    const InstId now = b.inst(Op::VolatileLoad, Type::U32, {next});
    b.when(b.compare(CompareOp::Lt, now, capacity), [&] {
      const InstId start = b.atomic(ir::AtomicOp::Add, next, words);
      const InstId place = word_behind(b, start);
      const InstId end = b.binary(BinaryOp::Add, start, words);
      b.when(b.compare(CompareOp::Le, end, capacity), [&] { b.store(room, place); });
      const InstId begins = b.compare(CompareOp::Lt, start, capacity);
      const InstId ends = b.compare(CompareOp::Gt, end, capacity);
      b.when(b.binary(BinaryOp::BitAnd, begins, ends),
             [&] { b.store(word(b, place), b.constant(Type::U64, kNoMessage)); });
    });
    const InstId found = b.load(room);
    b.when(b.compare(CompareOp::Eq, found, whole(b, 0)),
           [&] { b.atomic(ir::AtomicOp::Add, field(b, offsetof(DeviceMessages, lost)), b.constant(Type::U32, 1)); });
    b.inst(Op::Return, Type::Void, {found});
    return *room_;
  }

  // Asserts.

  void fail(Builder& b, const ir::Inst& inst) {
    if (1 + size_t{inst.operand_count} > kFailWords)
      throw std::runtime_error("an assert has more values than a GPU can tell of");
    const InstId mark = b.constant(Type::U32, kAssertFailed);
    const InstId before = b.atomic(ir::AtomicOp::Or, field(b, offsetof(DeviceMessages, failed)), mark);
    const InstId others = b.binary(BinaryOp::BitAnd, before, mark);
    const InstId first = b.compare(CompareOp::Eq, others, b.constant(Type::U32, 0));
    b.when(first, [&] {
      const InstId message = failed_message(b);
      write_format(b, message, DeviceMessageKind::Fail, inst, 1);
      b.store(word(b, add(b, message, 1)), b.constant(Type::U64, 0));
      write_values(b, add(b, message, 2), inst, 1);
    });
    const InstId told = b.constant(Type::I32, kTold), failed = b.constant(Type::I32, kFailed);
    b.inst(Op::Leave, Type::Void, {b.select(first, told, failed)});
  }

  /// Leaves behind a call in which an assert has failed.
  void leave_after(Builder& b, InstId id) {
    const ir::Inst call = kernel_[id];
    const size_t results = kernel_.routines[call.aux].results.size();
    const InstId failure = b.inst(Op::CallResult, Type::I32, {}, static_cast<uint32_t>(id), results - 1);
    b.when(b.compare(CompareOp::Ne, failure, b.constant(Type::I32, kHeld)), [&] {
      b.when(b.compare(CompareOp::Eq, failure, b.constant(Type::I32, kTold)),
             [&] { b.inst(Op::Call, Type::Void, {b.constant(Type::U64, call.imm)}, add_caller()); });
      b.inst(Op::Leave, Type::Void, {failure});
    });
  }

  /// The routine that adds the place of a call to the message of the assert that failed, if there is room.
  uint32_t add_caller() {
    if (add_caller_) return *add_caller_;
    add_caller_ = add_routine("add_caller", Type::U64, {});
    Builder b(kernel_, kernel_.routines[*add_caller_].body);
    const InstId caller = b.inst(Op::CallArg, Type::U64, {}, 0);
    const InstId message = failed_message(b), count = word(b, add(b, message, 1));
    const InstId format = b.load(word(b, message)), calls = b.load(count);
    const InstId values = b.binary(BinaryOp::LogicalShr, format, b.constant(Type::U64, 40));
    const InstId before = b.cast(Type::I64, b.binary(BinaryOp::Add, values, calls));
    const InstId offset = add(b, before, 2);
    b.when(b.compare(CompareOp::Lt, offset, whole(b, kFailWords)), [&] {
      b.store(word(b, b.binary(BinaryOp::Add, message, offset)), caller);
      b.store(count, b.binary(BinaryOp::Add, calls, b.constant(Type::U64, 1)));
    });
    return *add_caller_;
  }

  /// Makes the last result of a routine that comes to its end, if it does.
  void return_held(const ir::Routine& routine) {
    const BlockId body = routine.body;
    const bool returns = !kernel_[body].empty() && kernel_[kernel_[body].back()].op == Op::Return;
    if (!returns && routine.results.size() > 1) return;
    std::vector<InstId> values;
    if (returns) {
      const auto given = kernel_.operands_of(kernel_[body].back());
      values.assign(given.begin(), given.end());
      kernel_[body].pop_back();
    }
    Builder b(kernel_, body);
    values.push_back(b.constant(Type::I32, kHeld));
    b.inst(Op::Return, Type::Void, values);
  }

  // The memory of messages. Its words of 64 bits are counted from its begin.

  static constexpr int64_t kHeader = sizeof(DeviceMessages) / sizeof(uint64_t);

  InstId whole(Builder& b, int64_t value) { return b.constant(Type::I64, static_cast<uint64_t>(value)); }
  InstId add(Builder& b, InstId number, int64_t more) { return b.binary(BinaryOp::Add, number, whole(b, more)); }
  InstId field(Builder& b, size_t offset) {
    return b.inst(Op::Message, Type::U32, {whole(b, static_cast<int64_t>(offset / sizeof(uint32_t)))});
  }
  InstId word(Builder& b, InstId number) { return b.inst(Op::Message, Type::U64, {number}); }
  InstId word_behind(Builder& b, InstId words) { return add(b, b.cast(Type::I64, words), kHeader); }
  InstId failed_message(Builder& b) { return word_behind(b, b.load(field(b, offsetof(DeviceMessages, capacity)))); }

  void write_format(Builder& b, InstId place, DeviceMessageKind kind, const ir::Inst& inst, size_t first) {
    const uint64_t values = inst.operand_count - first;
    const uint64_t format = static_cast<uint64_t>(kind) | uint64_t{inst.aux} << 8 | values << 40;
    b.store(word(b, place), b.constant(Type::U64, format));
  }

  void write_values(Builder& b, InstId place, const ir::Inst& inst, size_t first) {
    for (size_t i = first; i < inst.operand_count; i++) {
      InstId value = kernel_.operands_of(inst)[i];
      const Type type = kernel_[value].type;
      const Type bits = type == Type::F16 ? Type::U16 : type == Type::F32 ? Type::U32 : Type::U64;
      if (ir::is_float(type)) value = b.inst(Op::BitCast, bits, {value});
      b.store(word(b, add(b, place, static_cast<int64_t>(i - first))), b.cast(Type::U64, value));
    }
  }

  uint32_t add_routine(const char* name, Type param, std::vector<Type> results) {
    const BlockId body = kernel_.add_block();
    kernel_.routines.push_back({name, {param}, std::move(results), body});
    return static_cast<uint32_t>(kernel_.routines.size() - 1);
  }

  ir::Kernel& kernel_;
  const std::vector<bool> failing_;  // of the kernel's own routines
  std::optional<uint32_t> room_, add_caller_;
};

}  // namespace

uint32_t messages(ir::Kernel& kernel) {
  const auto own = static_cast<uint32_t>(kernel.routines.size());
  Messages(kernel).run();
  return own;
}

}  // namespace qd::passes
