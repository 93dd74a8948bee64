// Runs kernel IR, one instruction after the other.
#include "tests/unit/passes/interpreter.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "tests/unit/passes/scalar.h"

namespace qd::passes::testing {
namespace {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

constexpr uint64_t kGarbage = 0x5a5a5a5a;
constexpr int kChunk = 3;
constexpr int kStepLimit = 2'000'000;

/// A place: a variable, a global temp, or an element.
struct Place {
  uint64_t* bits = nullptr;
  std::string name;
};

enum class Flow { Next, Break, Continue, Stop };

/// Who touched a place in a parallel loop.
struct Touch {
  int64_t iteration = 0;
  bool several = false;
  bool plain = false;
  bool write = false;
};

class Machine {
 public:
  Machine(const ir::Kernel& kernel, const Launch& launch)
      : kernel_(kernel), launch_(launch), values_(kernel.insts.size()), places_(kernel.insts.size()), variables_(kernel.insts.size()),
        loops_(kernel.insts.size()), temps_(kernel.global_temps, kGarbage) {
    run_.outcome.arrays = launch.arrays;
  }

  Run run() {
    if (kernel_.body != BlockId::None) {
      top_ = true;
      block(kernel_.body);
    }
    for (const ir::Task& task : kernel_.tasks) {
      if (run_.outcome.failed) break;
      this->task(task);
    }
    if (!run_.outcome.failed) fire(kernel_.end_probes);
    return std::move(run_);
  }

 private:
  void fire(const std::vector<uint32_t>& probes) {
    for (uint32_t probe : probes) run_.outcome.probes[probe]++;
  }

  std::optional<uint64_t>& value(InstId id) { return values_[static_cast<uint32_t>(id)]; }
  uint64_t get(InstId id) {
    if (!value(id)) throw std::runtime_error(fmt::format("%{} has no value", static_cast<uint32_t>(id)));
    return *value(id);
  }

  void task(const ir::Task& task) {
    run_.tasks++;
    fire(task.start_probes);
    if (task.kind == ir::Task::Kind::Serial) {
      forget();
      block(task.body);
      return;
    }
    std::vector<std::pair<int32_t, int32_t>> bounds;
    for (size_t i = 0; i < task.bounds.size(); i += 2) bounds.emplace_back(bound(task.bounds[i]), bound(task.bounds[i + 1]));
    parallel(task.loop, bounds, task.prologue, task.body, task.epilogue);
  }

  /// Nothing of one task, or of one chunk, is there in the next.
  void forget() {
    values_.assign(values_.size(), std::nullopt);
    places_.assign(places_.size(), {});
  }

  int32_t bound(const ir::Bound& bound) const {
    switch (bound.kind) {
      case ir::Bound::Kind::Const: return bound.value;
      case ir::Bound::Kind::Temp: return static_cast<int32_t>(temps_.at(static_cast<size_t>(bound.value)));
      case ir::Bound::Kind::Shape: return launch_.shapes.at(static_cast<size_t>(bound.value)).at(static_cast<size_t>(bound.axis));
      case ir::Bound::Kind::Param: return static_cast<int32_t>(launch_.params.at(static_cast<size_t>(bound.value)));
    }
    return 0;
  }

  /// All iterations, the last axis fastest. `prologue` None: the loop of a kernel that is not split yet.
  void parallel(InstId loop, const std::vector<std::pair<int32_t, int32_t>>& bounds, BlockId prologue, BlockId body,
                BlockId epilogue) {
    touches_.clear();
    iteration_ = 0;
    each(loop, bounds, [&] {
      if (prologue != BlockId::None && iteration_ % kChunk == 0) {
        if (iteration_ > 0 && epilogue != BlockId::None) block(epilogue);
        forget();
        block(prologue);
      }
      racing_ = true;
      Flow flow = block(body);
      racing_ = false;
      iteration_++;
      return flow;
    });
    if (iteration_ > 0 && epilogue != BlockId::None && !run_.outcome.failed) block(epilogue);
    for (const auto& [name, touch] : touches_) {
      if (touch.several && touch.plain && touch.write) run_.races.push_back(name);
    }
  }

  template <class Body>
  Flow each(InstId loop, const std::vector<std::pair<int32_t, int32_t>>& bounds, Body&& body) {
    std::vector<int32_t> index;
    for (auto [begin, end] : bounds) {
      if (begin >= end) return Flow::Next;
      index.push_back(begin);
    }
    while (true) {
      loops_[static_cast<uint32_t>(loop)] = index;
      Flow flow = body();
      if (flow == Flow::Stop) return Flow::Stop;
      if (flow == Flow::Break) return Flow::Break;
      size_t axis = index.size();
      while (axis > 0 && ++index[axis - 1] == bounds[axis - 1].second) {
        index[axis - 1] = bounds[axis - 1].first;
        axis--;
      }
      if (axis == 0) return Flow::Next;
    }
  }

  Flow block(BlockId id) {
    for (InstId inst : kernel_[id]) {
      if (++steps_ > kStepLimit) throw std::runtime_error("endless");
      Flow flow = this->inst(inst);
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  }

  uint64_t& reach(InstId pointer, bool atomic, bool write) {
    Place& place = places_[static_cast<uint32_t>(pointer)];
    if (!place.bits) throw std::runtime_error(fmt::format("%{} points nowhere", static_cast<uint32_t>(pointer)));
    if (racing_ && !place.name.empty()) {
      auto [touch, first] = touches_.try_emplace(place.name, Touch{.iteration = iteration_});
      touch->second.several |= touch->second.iteration != iteration_;
      touch->second.plain |= !atomic;
      touch->second.write |= write;
    }
    return *place.bits;
  }

  Flow inst(InstId id) {
    const Inst& i = kernel_[id];
    std::span<const InstId> args = kernel_.operands_of(i);
    auto set = [&](uint64_t bits) {
      value(id) = bits;
      return Flow::Next;
    };
    auto type = [&](size_t n) { return kernel_[args[n]].type; };
    switch (i.op) {
      case Op::Const: return set(i.imm);
      case Op::Arg: return set(launch_.params.at(i.aux));
      case Op::Shape: return set(static_cast<uint64_t>(launch_.shapes.at(i.aux).at(i.imm)));
      case Op::LoopIndex: return set(canonical(ir::Type::I32, static_cast<uint64_t>(loops_.at(i.aux).at(i.imm))));
      case Op::Unary: return set(unary(i.unary_op(), i.type, type(0), get(args[0])));
      case Op::Binary: return set(binary(i.binary_op(), i.type, get(args[0]), get(args[1])));
      case Op::Compare: return set(compare(i.compare_op(), type(0), get(args[0]), get(args[1])));
      case Op::Cast: return set(cast(i.type, type(0), get(args[0])));
      case Op::BitCast: return set(canonical(i.type, get(args[0])));
      case Op::Select: return set(get(args[0]) ? get(args[1]) : get(args[2]));
      case Op::Random: throw std::runtime_error("the interpreter has no random numbers");
      case Op::Alloca:
        arrays_[id].assign(i.imm, kGarbage);
        variables_[static_cast<uint32_t>(id)] = kGarbage;
        // Before split_tasks, what stands outside of the parallel loops is shared by their iterations.
        places_[static_cast<uint32_t>(id)] = {&variables_[static_cast<uint32_t>(id)],
                                              racing_ || kernel_.body == BlockId::None ? "" : fmt::format("variable %{}", static_cast<uint32_t>(id))};
        return Flow::Next;
      case Op::GlobalTemp: places_[static_cast<uint32_t>(id)] = {&temps_.at(i.aux), fmt::format("temp {}", i.aux)}; return Flow::Next;
      case Op::LocalPtr: {
        const ir::Inst& array = kernel_[args[0]];
        const uint64_t index = get(args[1]);
        const bool temp = array.op == Op::GlobalTemp;
        const std::string& whole = places_[static_cast<uint32_t>(args[0])].name;
        places_[static_cast<uint32_t>(id)] = {temp ? &temps_.at(array.aux + index) : &arrays_.at(args[0]).at(index), whole.empty() ? "" : fmt::format("{} [{}]", whole, index)};
        return Flow::Next;
      }
      case Op::ElementPtr: return element(id, i, args);
      case Op::Load: return set(reach(args[0], false, false));
      case Op::Store: reach(args[0], false, true) = get(args[1]); return Flow::Next;
      case Op::AtomicRmw: {
        uint64_t& bits = reach(args[0], true, true);
        const uint64_t old = bits;
        bits = rmw(i.atomic_op(), i.type, old, get(args[1]));
        return set(old);
      }
      case Op::AtomicCas: {
        uint64_t& bits = reach(args[0], true, true);
        const uint64_t old = bits;
        if (old == get(args[1])) bits = get(args[2]);
        return set(old);
      }
      case Op::If: return inner(i.blocks[get(args[0]) ? 0 : 1]);
      case Op::Loop:
        while (true) {
          Flow flow = inner(i.blocks[0]);
          if (flow == Flow::Stop) return flow;
          if (flow == Flow::Break) return Flow::Next;
          if (++steps_ > kStepLimit) throw std::runtime_error("endless");
        }
      case Op::For: return loop(id, i, args);
      case Op::Break: return Flow::Break;
      case Op::Continue: return Flow::Continue;
      case Op::Call: return call(id, i, args);
      case Op::CallResult: return set(called_.at(i.aux_inst()).at(i.imm));
      case Op::CallArg: return set(arguments_.at(i.aux));
      case Op::StackLeft: return set(1);
      case Op::Return:
        if (in_routine_) {
          arguments_.clear();
          for (InstId arg : args) arguments_.push_back(get(arg));
          return Flow::Stop;
        }
        for (InstId arg : args) run_.outcome.results.push_back(get(arg));
        return Flow::Stop;
      case Op::Assert:
        if (get(args[0])) return Flow::Next;
        run_.outcome.failed = true;
        return Flow::Stop;
      case Op::Iteration: return set(0);
      case Op::Warn: return Flow::Next;
      case Op::Print: {
        std::string text = fmt::format("format {}", i.aux);
        for (InstId arg : args) text += fmt::format(" {:#x}", get(arg));
        run_.outcome.prints.push_back(text);
        return Flow::Next;
      }
      case Op::Probe: run_.outcome.probes[i.aux]++; return Flow::Next;
      case Op::Condition: case Op::Decide: case Op::Count: case Op::Record: case Op::Mark: return Flow::Next;
    }
    return Flow::Next;
  }

  /// No routine calls itself here.
  Flow call(InstId id, const Inst& i, std::span<const InstId> args) {
    std::vector<uint64_t> arguments;
    for (InstId arg : args) arguments.push_back(get(arg));
    std::swap(arguments_, arguments);
    const bool outer = std::exchange(in_routine_, true);
    const bool was_top = std::exchange(top_, false);
    block(kernel_.routines.at(i.aux).body);
    top_ = was_top;
    in_routine_ = outer;
    std::swap(arguments_, arguments);
    called_[id] = std::move(arguments);  // what the routine has returned
    return run_.outcome.failed ? Flow::Stop : Flow::Next;
  }

  Flow inner(BlockId id) {
    const bool was_top = std::exchange(top_, false);
    Flow flow = block(id);
    top_ = was_top;
    return flow;
  }

  Flow loop(InstId id, const Inst& i, std::span<const InstId> args) {
    std::vector<std::pair<int32_t, int32_t>> bounds;
    for (size_t n = 0; n < args.size(); n += 2) bounds.emplace_back(static_cast<int32_t>(get(args[n])), static_cast<int32_t>(get(args[n + 1])));
    if (top_ && kernel_.loops.at(i.aux).parallel) {
      top_ = false;
      parallel(id, bounds, BlockId::None, i.blocks[0], BlockId::None);
      top_ = true;
      return run_.outcome.failed ? Flow::Stop : Flow::Next;
    }
    Flow flow = each(id, bounds, [&] { return inner(i.blocks[0]); });
    if (flow == Flow::Next && i.blocks[1] != BlockId::None) block(i.blocks[1]);
    return flow == Flow::Stop ? flow : Flow::Next;
  }

  Flow element(InstId id, const Inst& i, std::span<const InstId> args) {
    size_t at = 0;
    const std::vector<int32_t>& shape = launch_.shapes.at(i.aux);
    for (size_t axis = 0; axis < args.size(); axis++) {
      const auto index = static_cast<int64_t>(get(args[axis]));
      if (index < 0 || index >= shape.at(axis)) throw std::runtime_error(fmt::format("%{}: index {} out of range", static_cast<uint32_t>(id), index));
      at = at * static_cast<size_t>(shape[axis]) + static_cast<size_t>(index);
    }
    places_[static_cast<uint32_t>(id)] = {&run_.outcome.arrays.at(i.aux).at(at), fmt::format("array {} element {}", i.aux, at)};
    return Flow::Next;
  }

  static uint64_t rmw(ir::AtomicOp op, ir::Type type, uint64_t old, uint64_t value) {
    using ir::BinaryOp;
    switch (op) {
      case ir::AtomicOp::Add: return binary(BinaryOp::Add, type, old, value);
      case ir::AtomicOp::Sub: return binary(BinaryOp::Sub, type, old, value);
      case ir::AtomicOp::Mul: return binary(BinaryOp::Mul, type, old, value);
      case ir::AtomicOp::Min: return binary(BinaryOp::Min, type, old, value);
      case ir::AtomicOp::Max: return binary(BinaryOp::Max, type, old, value);
      case ir::AtomicOp::And: return binary(BinaryOp::BitAnd, type, old, value);
      case ir::AtomicOp::Or: return binary(BinaryOp::BitOr, type, old, value);
      case ir::AtomicOp::Xor: return binary(BinaryOp::BitXor, type, old, value);
      case ir::AtomicOp::Exchange: return value;
    }
    return 0;
  }

  const ir::Kernel& kernel_;
  const Launch& launch_;
  Run run_;
  std::vector<std::optional<uint64_t>> values_;
  std::vector<Place> places_;
  std::vector<uint64_t> variables_;
  std::map<InstId, std::vector<uint64_t>> arrays_;  // of Allocas
  std::vector<std::vector<int32_t>> loops_;
  std::vector<uint64_t> temps_;
  std::map<std::string, Touch> touches_;
  std::map<InstId, std::vector<uint64_t>> called_;  // results of calls
  std::vector<uint64_t> arguments_;                 // of the routine; then its results
  bool in_routine_ = false;
  int64_t iteration_ = 0;
  bool racing_ = false;  // inside of an iteration of a parallel loop
  bool top_ = false;     // at the top level of a kernel that is not split
  int steps_ = 0;
};

}  // namespace

Run interpret(const ir::Kernel& kernel, const Launch& launch) { return Machine(kernel, launch).run(); }

}  // namespace qd::passes::testing
