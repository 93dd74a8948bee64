// A switch over the operations, without a default: a new one does not compile before it is here.
#include "runtime/device/reference/interpreter.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>

namespace qd::device {

using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

/// Of the stack, for what is called without a look at it.
constexpr uint64_t kReserve = 256 << 10;

uint64_t lowest_of_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uint64_t>(lowest) + std::min<uint64_t>(kReserve, size / 2);
}

/// Steele, Lea and Flood's SplitMix64, https://prng.di.unimi.it/splitmix64.c
uint64_t next_seed(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

Interpreter::Interpreter(const InterpretedKernel& executable, const Invocation& invocation, uint64_t seed)
    : executable_(executable), kernel_(executable.code()), frames_(executable.frames()), invocation_(invocation), temps_(kernel_.global_temps), stack_end_(lowest_of_stack()) {
  for (uint64_t& word : random_.words) word = next_seed(seed);
}

int64_t Interpreter::bound(const ir::Bound& bound) const {
  switch (bound.kind) {
    case ir::Bound::Kind::Const: return bound.value;
    case ir::Bound::Kind::Temp: return static_cast<int32_t>(temps_[static_cast<size_t>(bound.value)]);
    case ir::Bound::Kind::Shape: return invocation_.arrays[bound.value].shape[bound.axis];
    case ir::Bound::Kind::Param: return static_cast<int32_t>(invocation_.params[bound.value]);
  }
  return 0;
}

int64_t Interpreter::iterations(const ir::Task& task) const {
  int64_t product = 1;
  for (size_t i = 0; i + 1 < task.bounds.size(); i += 2) product *= std::max<int64_t>(0, bound(task.bounds[i + 1]) - bound(task.bounds[i]));
  return product;
}

void Interpreter::run(size_t index) {
  const ir::Task& task = kernel_.tasks[index];
  std::vector<uint64_t> frame(frames_.tasks[index].words);
  frame_ = frame.data();
  iteration_ = 0;
  if (task.kind == ir::Task::Kind::Serial) {
    block(task.body);
    return;
  }
  if (iterations(task) == 0) return;
  std::vector<Extent> extents;
  for (size_t i = 0; i + 1 < task.bounds.size(); i += 2) extents.push_back({bound(task.bounds[i]), bound(task.bounds[i + 1])});
  if (task.prologue != ir::BlockId::None) block(task.prologue);
  each(task.loop, extents, [&] {
    const Flow flow = block(task.body);
    ++iteration_;
    return flow;
  });
  if (task.epilogue != ir::BlockId::None && !failed()) block(task.epilogue);
}

template <class Body>
Interpreter::Flow Interpreter::each(InstId loop, const std::vector<Extent>& extents, Body&& body) {
  uint64_t* index = room(loop);
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis].begin >= extents[axis].end) return Flow::Next;
    index[axis] = static_cast<uint64_t>(extents[axis].begin);
  }
  for (;;) {
    const Flow flow = body();
    if (flow == Flow::Stop || flow == Flow::Break) return flow;
    size_t axis = extents.size();
    while (axis > 0 && static_cast<int64_t>(++index[axis - 1]) == extents[axis - 1].end) {
      index[axis - 1] = static_cast<uint64_t>(extents[axis - 1].begin);
      --axis;
    }
    if (axis == 0) return Flow::Next;
  }
}

Interpreter::Flow Interpreter::block(ir::BlockId block) {
  if (block == ir::BlockId::None) return Flow::Next;
  for (InstId id : kernel_[block]) {
    const Flow flow = inst(id);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::inst(InstId id) {
  const ir::Inst& inst = kernel_[id];
  const std::span<const InstId> operands = kernel_.operands_of(inst);
  auto get = [&](size_t k) { return value(operands[k]); };
  auto type = [&](size_t k) { return kernel_[operands[k]].type; };
  auto set = [&](uint64_t word) {
    value(id) = word;
    return Flow::Next;
  };
  auto set_place = [&](void* place) { return set(reinterpret_cast<uint64_t>(place)); };
  switch (inst.op) {
    case Op::Const: return set(inst.imm);
    case Op::Arg: return set(scalar::canonical(inst.type, invocation_.params[inst.aux]));
    case Op::Shape: return set(static_cast<uint64_t>(int64_t{extent(inst.aux, inst.axis())}));
    case Op::LoopIndex: return set(scalar::canonical(Type::I32, room(inst.aux_inst())[inst.axis()]));
    case Op::Iteration: return set(iteration_);
    case Op::Unary: return set(scalar::unary(inst.unary_op(), inst.type, type(0), get(0)));
    case Op::Binary: return set(scalar::binary(inst.binary_op(), inst.type, get(0), get(1)));
    case Op::Compare: return set(scalar::compare(inst.compare_op(), type(0), get(0), get(1)));
    case Op::Cast: return set(scalar::cast(inst.type, type(0), get(0)));
    case Op::BitCast: return set(scalar::canonical(inst.type, get(0)));
    case Op::Select: return set(get(get(0) ? 1 : 2));
    case Op::Random: return set(scalar::random(inst.type, random_));
    case Op::Alloca:
      std::fill_n(room(id), std::max<uint32_t>(1, inst.length()), 0);
      return set_place(room(id));
    case Op::GlobalTemp: return set_place(&temps_[inst.aux]);
    case Op::LocalPtr: {
      const ir::Inst& array = kernel_[operands[0]];
      const uint64_t index = get(1);
      return set_place(index < array.length() ? reinterpret_cast<uint64_t*>(get(0)) + index : &nowhere_);
    }
    case Op::ElementPtr: return set_place(element(inst));
    case Op::Load: return set(load(operands[0], inst.type));
    case Op::Store: store(operands[0], type(1), get(1)); return Flow::Next;
    case Op::AtomicRmw: {
      const uint64_t old = load(operands[0], inst.type);
      store(operands[0], inst.type, scalar::atomic(inst.atomic_op(), inst.type, old, get(1)));
      return set(old);
    }
    case Op::AtomicCas: {
      const uint64_t old = load(operands[0], inst.type);
      if (old == get(1)) store(operands[0], inst.type, get(2));
      return set(old);
    }
    case Op::If: return block(inst.blocks[get(0) ? 0 : 1]);
    case Op::Loop:
      for (;;) {
        const Flow flow = block(inst.blocks[0]);
        if (flow == Flow::Stop) return flow;
        if (flow == Flow::Break) return Flow::Next;
      }
    case Op::For: return loop(id, inst);
    case Op::Break: return Flow::Break;
    case Op::Continue: return Flow::Continue;
    case Op::Return:
      for (size_t k = 0; k < operands.size(); ++k) {
        if (returned_) {
          returned_->push_back(get(k));
        } else {
          invocation_.results[k] = get(k);
        }
      }
      return Flow::Stop;
    case Op::Assert: return get(0) ? Flow::Next : check(inst);
    case Op::Warn:
      if (!get(0) && executable_.first_warning(inst.aux)) note(Message::Kind::Warn, inst, 1);
      return Flow::Next;
    case Op::Print: note(Message::Kind::Print, inst, 0); return Flow::Next;
    case Op::Call: return call(id, inst);
    case Op::CallResult: return set(frame_[frames_.value[static_cast<uint32_t>(inst.aux_inst())] + inst.result()]);
    case Op::CallArg: return set((*arguments_)[inst.aux]);
    case Op::StackLeft: return set(reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - stack_end_);
    case Op::Probe: case Op::Condition: case Op::Decide: return Flow::Next;  // nobody measures
    case Op::Count: invocation_.counters[inst.aux] += get(0); return Flow::Next;
    case Op::Record: invocation_.counters[inst.aux] |= type(0) == Type::I32 ? static_cast<uint32_t>(get(0)) : get(0); return Flow::Next;
    case Op::Mark: invocation_.counters[inst.aux] = 1; return Flow::Next;
  }
  return Flow::Next;
}

Interpreter::Flow Interpreter::loop(InstId id, const ir::Inst& inst) {
  const std::span<const InstId> operands = kernel_.operands_of(inst);
  std::vector<Extent> extents;
  for (size_t k = 0; k + 1 < operands.size(); k += 2) extents.push_back({static_cast<int32_t>(value(operands[k])), static_cast<int32_t>(value(operands[k + 1]))});
  const Flow flow = each(id, extents, [&] { return block(inst.blocks[0]); });
  return flow == Flow::Stop ? flow : Flow::Next;
}

Interpreter::Flow Interpreter::call(InstId id, const ir::Inst& inst) {
  std::vector<uint64_t> arguments, returned;
  for (InstId operand : kernel_.operands_of(inst)) arguments.push_back(value(operand));
  std::vector<uint64_t> frame(frames_.routines[inst.aux].words);
  uint64_t* const outer_frame = std::exchange(frame_, frame.data());
  const auto* const outer_arguments = std::exchange(arguments_, &arguments);
  auto* const outer_returned = std::exchange(returned_, &returned);
  block(kernel_.routines[inst.aux].body);
  frame_ = outer_frame;
  arguments_ = outer_arguments;
  returned_ = outer_returned;
  if (failed()) {
    invocation_.outcome->messages.back().calls.push_back(inst.imm);
    return Flow::Stop;
  }
  std::ranges::copy(returned, &value(id));
  return Flow::Next;
}

Interpreter::Flow Interpreter::check(const ir::Inst& inst) {
  note(Message::Kind::Fail, inst, 1);
  invocation_.outcome->status = Outcome::Status::Failed;
  return Flow::Stop;
}

void Interpreter::note(Message::Kind kind, const ir::Inst& inst, size_t first_value) {
  Message message{kind, inst.aux, {}, {}};
  for (InstId operand : kernel_.operands_of(inst).subspan(first_value)) message.values.push_back(value(operand));
  invocation_.outcome->messages.push_back(std::move(message));
}

int32_t Interpreter::extent(uint32_t array, uint32_t axis) const {
  const std::vector<int32_t>& known = kernel_.arrays[array].shape;
  return axis < known.size() ? known[axis] : invocation_.arrays[array].shape[axis];
}

void* Interpreter::element(const ir::Inst& inst) {
  const std::span<const InstId> operands = kernel_.operands_of(inst);
  const ir::Array& array = kernel_.arrays[inst.aux];
  const ir::Layout& layout = array.layout;
  int64_t offset = 0;
  for (uint32_t i = 0; i < static_cast<uint32_t>(array.rank); ++i) {
    const uint32_t axis = layout.order.empty() ? i : static_cast<uint32_t>(layout.order[i]);
    const auto index = static_cast<int64_t>(value(operands[axis]));
    const int64_t size = extent(inst.aux, axis);
    if (index < 0 || index >= size) return &nowhere_;
    offset = offset * size + index;
  }
  const int64_t size = ir::size_in_bytes(inst.type);
  int64_t bytes = offset * (layout.stride ? layout.stride : size * layout.components);
  if (layout.components != 1) {
    const auto component = static_cast<int64_t>(value(operands.back()));
    if (component < 0 || component >= layout.components) return &nowhere_;
    bytes += component * (layout.component_stride ? layout.component_stride : size);
  }
  return static_cast<char*>(invocation_.arrays[inst.aux].data) + bytes;
}

/// Elements are in memory in their own size; variables and temps are words.
uint64_t Interpreter::load(InstId place, Type type) {
  const auto* at = reinterpret_cast<const char*>(value(place));
  if (at == reinterpret_cast<const char*>(&nowhere_)) return 0;
  uint64_t word = 0;
  const bool element = kernel_[place].op == Op::ElementPtr;
  std::memcpy(&word, at, element ? static_cast<size_t>(ir::size_in_bytes(type)) : sizeof word);
  if (type == Type::U1) return word != 0;
  return scalar::canonical(type, word);
}

void Interpreter::store(InstId place, Type type, uint64_t word) {
  auto* at = reinterpret_cast<char*>(value(place));
  if (at == reinterpret_cast<char*>(&nowhere_)) return;
  const bool element = kernel_[place].op == Op::ElementPtr;
  std::memcpy(at, &word, element ? static_cast<size_t>(ir::size_in_bytes(type)) : sizeof word);
}

}  // namespace qd::device
