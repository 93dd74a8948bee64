// Effect of each instruction.
#include "runtime/device/reference/kernel_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "runtime/device/reference/scalar.h"
#include "runtime/ir/counters.h"

namespace qd::device::reference {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

void KernelInterpreter::must_be_known(InstId id) const {
  const Op op = kernel_[id].op;
  if (op != Op::GlobalTemp && !known_[layout_.at(id)])
    throw std::runtime_error(fmt::format("%{} has no value", static_cast<uint32_t>(id)));
}

KernelInterpreter::Flow KernelInterpreter::block(BlockId id) {
  for (InstId inst : kernel_[id]) {
    steps_++;
    if (options_.step_limit > 0 && steps_ > options_.step_limit) throw std::runtime_error("endless");
    const Flow flow = this->inst(inst);
    if (flow != Flow::Next) return flow;
  }
  return Flow::Next;
}

KernelInterpreter::Flow KernelInterpreter::inner(BlockId id) {
  if (id == BlockId::None) return Flow::Next;
  const bool was_top = std::exchange(top_, false);
  const Flow flow = block(id);
  top_ = was_top;
  return flow;
}

KernelInterpreter::Flow KernelInterpreter::inst(InstId id) {
  const Inst& i = kernel_[id];
  const auto args = kernel_.operands_of(i);
  auto type = [&](size_t n) { return kernel_[args[n]].type; };
  switch (i.op) {
    case Op::Const: return set(id, i.imm);
    case Op::Arg:
      return set(
          id, i.type == Type::U1 ? (bindings_.params[i.aux] & 0xff) != 0 : canonical(i.type, bindings_.params[i.aux]));
    case Op::Shape: return set(id, static_cast<uint64_t>(extent(i.aux, i.axis())));
    case Op::LoopIndex: return set(id, canonical(i.type, frame_[layout_.at(i.aux_inst()) + i.axis()]));
    case Op::Iteration: return set(id, static_cast<uint64_t>(iteration_));
    case Op::Unary: return set(id, unary(i.unary_op(), i.type, type(0), get(args[0])));
    case Op::Binary: return set(id, binary(i.binary_op(), i.type, get(args[0]), get(args[1])));
    case Op::Compare: return set(id, compare(i.compare_op(), type(0), get(args[0]), get(args[1])));
    case Op::Cast: return set(id, cast(i.type, type(0), get(args[0])));
    case Op::BitCast: return set(id, canonical(i.type, get(args[0])));
    case Op::Select: return set(id, get(args[get(args[0]) ? 1 : 2]));
    case Op::Pick: return set(id, get(args[1 + std::min<uint64_t>(get(args[0]), args.size() - 2)]));
    case Op::StopGrad: return set(id, get(args[0]));
    case Op::Fma: return set(id, fma(i.type, get(args[0]), get(args[1]), get(args[2])));
    case Op::Random: return set(id, random(i.type));
    case Op::Clock:
      return set(
          id, static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1)));
    case Op::Alloca: return declare(id, i);
    case Op::GlobalTemp: return set(id, reinterpret_cast<uintptr_t>(bindings_.temps + i.aux));
    case Op::LocalPtr: return set(id, local_element(i));
    case Op::ElementPtr: return set(id, element(i));
    case Op::Load:
    case Op::VolatileLoad: return set(id, load(args[0]));
    case Op::Store: store(args[0], get(args[1])); return Flow::Next;
    case Op::AtomicRmw:
    case Op::AtomicCas: return set(id, atomic(i));
    case Op::Claim:
      return set(id,
                 canonical(Type::I32, static_cast<uint64_t>(claims_.claim(get(args[0]), section_, i.aux, i.access()))));
    case Op::If: return inner(i.blocks[get(args[0]) ? 0 : 1]);
    case Op::Region: return inner(i.blocks[0]);
    case Op::Loop: return loop(i);
    case Op::For: return counted_loop(id, i);
    case Op::Break: return Flow::Break;
    case Op::Continue: return Flow::Continue;
    case Op::Return: return give_back(i);
    case Op::Call: return call(id, i);
    case Op::CallResult: return set(id, frame_[layout_.at(i.aux_inst()) + i.result()]);
    case Op::CallArg: return set(id, frame_[i.aux]);
    case Op::StackLeft: return set(id, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - options_.stack_end);
    case Op::Fence: return Flow::Next;
    case Op::Shared:
    case Op::Thread:
    case Op::Lane:
    case Op::Barrier:
    case Op::Shuffle:
    case Op::Ballot:
    case Op::Together:
    case Op::Dispatch: throw std::logic_error("a loop over blocks of threads is not cut at its barriers");
    case Op::Assert: return get(args[0]) ? Flow::Next : fail(i);
    case Op::Warn:
      if (!get(args[0])) tell(Message::Kind::Warn, i, 1);
      return Flow::Next;
    case Op::Print: tell(Message::Kind::Print, i, 0); return Flow::Next;
    case Op::Message:
    case Op::Leave: throw std::logic_error("messages as a GPU writes them");
    case Op::Probe:
      if (bindings_.probes) bindings_.probes[i.aux]++;
      return Flow::Next;
    case Op::Condition:
    case Op::Decide:
    case Op::Watch: return Flow::Next;
    case Op::Count:
    case Op::Record:
    case Op::Maximum:
    case Op::Hit: count(i); return Flow::Next;
  }
  return Flow::Next;
}

KernelInterpreter::Flow KernelInterpreter::loop(const Inst& inst) {
  while (true) {
    const Flow flow = inner(inst.blocks[0]);
    if (flow == Flow::Stop) return flow;
    if (flow == Flow::Break) return Flow::Next;
    steps_++;
    if (options_.step_limit > 0 && steps_ > options_.step_limit) throw std::runtime_error("endless");
  }
}

void KernelInterpreter::count(const Inst& inst) {
  if (!bindings_.counters) return;
  uint64_t& counter = bindings_.counters[inst.aux];
  if (inst.op == Op::Hit) {
    counter = 1;
    return;
  }
  const InstId operand = kernel_.operands_of(inst)[0];
  const uint64_t word = get(operand);
  counter = ir::combined(*ir::combine_rule(inst.op), counter,
                         kernel_[operand].type == Type::I32 ? static_cast<uint32_t>(word) : word);
}

/// xoroshiro128+ of Blackman and Vigna, https://prng.di.unimi.it/xoroshiro128plus.c
uint64_t KernelInterpreter::random(Type type) {
  const uint64_t s0 = random_[0];
  uint64_t s1 = random_[1];
  const uint64_t result = s0 + s1;
  s1 ^= s0;
  random_[0] = std::rotl(s0, 24) ^ s1 ^ (s1 << 16);
  random_[1] = std::rotl(s1, 37);
  // The high bits are the better ones.
  if (type == Type::F64) return from_double(type, static_cast<double>(result >> 11) * 0x1p-53);
  if (type == Type::F32) return from_double(type, static_cast<double>(result >> 40) * 0x1p-24);
  if (type == Type::F16) return from_double(type, static_cast<double>(result >> 53) * 0x1p-11);
  return canonical(type, result >> (64 - ir::bit_width(type)));
}

// --- routines and messages ---

KernelInterpreter::Flow KernelInterpreter::call(InstId id, const Inst& inst) {
  const auto args = kernel_.operands_of(inst);
  const size_t caller = depth_;
  // The arguments are values of the caller; they are copied to the words of the callee.
  const uint32_t words = layout_.routine_size(inst.aux);
  if (activations_.size() <= caller + 1) activations_.emplace_back();
  std::vector<uint64_t>& next = activations_[caller + 1].words;
  if (next.size() < words) next.resize(words);
  for (size_t n = 0; n < args.size(); n++) next[n] = get(args[n]);
  enter(caller + 1, words);
  const bool was_top = std::exchange(top_, false);
  block(kernel_.routines[inst.aux].body);
  top_ = was_top;
  depth_ = caller;
  frame_ = activations_[caller].words.data();
  known_ = activations_[caller].known.data();
  if (failure_) {
    failure_->calls.push_back(inst.imm);
    return Flow::Stop;
  }
  for (size_t n = 0; n < kernel_.routines[inst.aux].results.size(); n++) frame_[layout_.at(id) + n] = returned_[n];
  return Flow::Next;
}

KernelInterpreter::Flow KernelInterpreter::give_back(const Inst& inst) {
  const auto args = kernel_.operands_of(inst);
  if (depth_ > 0) {
    returned_.clear();
    for (InstId arg : args) returned_.push_back(get(arg));
  } else {
    for (size_t n = 0; n < args.size(); n++) bindings_.results[n] = get(args[n]);
  }
  return Flow::Stop;
}

KernelInterpreter::Flow KernelInterpreter::fail(const Inst& inst) {
  failure_.emplace(Failure{inst.aux, iteration_, {}, {}});
  for (InstId value : kernel_.operands_of(inst).subspan(1)) failure_->values.push_back(get(value));
  return Flow::Stop;
}

void KernelInterpreter::tell(Message::Kind kind, const Inst& inst, size_t first) {
  if (!options_.tell) return;
  std::vector<uint64_t> values;
  for (InstId value : kernel_.operands_of(inst).subspan(first)) values.push_back(get(value));
  options_.tell({kind, inst.aux, iteration_, values, {}});
}

}  // namespace qd::device::reference
