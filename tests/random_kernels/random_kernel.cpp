// Random kernels without data races: their top level, and arguments for them.
#include "tests/random_kernels/random_kernel.h"

#include <utility>
#include <vector>

#include "runtime/device/reference/scalar.h"
#include "runtime/ir/walk.h"
#include "tests/random_kernels/random_code.h"

namespace qd::testing {
namespace {

using device::reference::from_double;
using ir::BinaryOp;
using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

class Generator : RandomCode {
 public:
  Generator(uint32_t seed, KernelOptions options) : RandomCode(seed, options) {}

  ir::Kernel run() {
    k_.name = std::string("k");
    k_.functions.push_back({"/k.py", "k", 1});
    for (int i = 0; i < 40; i++) k_.locations.push_back({0, i + 2, 4});
    k_.params = {{"n", Type::I32}, {"m", Type::I64}, {"a", Type::F32}};
    using Kind = ir::Array::Kind;
    k_.arrays = {{Kind::Parameter, "x", Type::I32, 1, {}, 0},
                 {Kind::Parameter, "y", Type::I32, 2, {}, 0},
                 {Kind::Field, "z", Type::F32, 1, {4}, 9},
                 {Kind::Field, "s", Type::I64, 0, {}, 10},
                 {Kind::Parameter, "r", Type::I32, 1, {}, 0}};
    k_.formats.push_back({{"", " ", ""}, {"", ".3f"}, {Type::I32, Type::F32}});
    k_.formats.push_back({{"no"}, {}, {}});
    for (int i = below(3); i > 0; i--) routine();
    if (chance(3)) k_.results = {Type::I32, Type::F32};
    k_.body = k_.add_block();
    block_ = top_ = k_.body;
    top_statements(2 + below(8), 2);
    probe();
    if (!k_.results.empty()) inst(Op::Return, Type::Void, 0, {value(Type::I32, 2), value(Type::F32, 2)});
    return std::move(k_);
  }

 private:
  void top_statements(int count, int regions) {
    for (int i = 0; i < count; i++) {
      if (regions_ && regions > 0 && chance(4)) {
        chance(2) ? region_if(regions) : region_loop(regions);
      } else {
        chance(2) ? top_loop() : statement(deepest());
      }
    }
  }

  /// The block of a region; `body` fills a block in it, as the top level is filled.
  void region(Op op, const std::vector<InstId>& operands, auto&& fill) {
    const InstId id = inst(Op::Region, Type::Void, 0, {});
    const BlockId inside = k_.add_block();
    k_[id].blocks[0] = inside;
    const BlockId outer = std::exchange(block_, inside);
    fill(inst(op, Type::Void, 0, operands));
    block_ = outer;
  }

  void scheduled(BlockId block, auto&& fill) {
    const BlockId outer = std::exchange(block_, block), top = std::exchange(top_, block);
    const size_t values = scope_.size(), variables = shared_.size();
    fill();
    scope_.resize(values);
    shared_.resize(variables);
    block_ = outer;
    top_ = top;
  }

  void region_if(int depth) {
    region(Op::If, {value(Type::U1, 2)}, [&](InstId branch) {
      const BlockId yes = k_.add_block(), no = k_.add_block();
      k_[branch].blocks = {yes, no};
      scheduled(yes, [&] { top_statements(below(3), depth - 1); });
      scheduled(no, [&] { top_statements(below(2), depth - 1); });
      for (BlockId block : {yes, no}) {
        block_ = block;
        probe();
        // As in kernels of the front end, a serial task ends what a condition decides: the probes there need one.
        constexpr uint32_t kScalar = 3;
        const InstId place = inst(Op::ElementPtr, Type::I64, kScalar, {});
        inst(Op::Store, Type::Void, 0, {place, constant(Type::I64, below(5))});
      }
    });
  }

  /// A loop that ends after a few passes.
  void region_loop(int depth) {
    const InstId counter = inst(Op::Alloca, Type::I32, 0, {});
    inst(Op::Store, Type::Void, 0, {counter, constant(Type::I32, 0)});
    region(Op::Loop, {}, [&](InstId loop) {
      const BlockId body = k_.add_block();
      k_[loop].blocks[0] = body;
      scheduled(body, [&] {
        top_statements(below(4), depth - 1);
        probe();
        const InstId pass = inst(Op::Load, Type::I32, 0, {counter});
        const InstId next =
            inst(Op::Binary, Type::I32, static_cast<uint32_t>(BinaryOp::Add), {pass, constant(Type::I32, 1)});
        inst(Op::Store, Type::Void, 0, {counter, next});
        leave(inst(Op::If, Type::Void, 0,
                   {inst(Op::Compare, Type::U1, static_cast<uint32_t>(ir::CompareOp::Ge),
                         {next, constant(Type::I32, below(4))})}));
      });
    });
  }

  void top_loop() {
    probe();
    const uint32_t rank = chance(3) ? 2 : 1;
    std::vector<InstId> bounds;
    bool covers = true;  // the loop indices are indices of the arrays of its rank
    for (uint32_t axis = 0; axis < rank; axis++) {
      const Type counts = count_type();
      bounds.push_back(constant(counts, 0));
      if (chance(2)) {
        bounds.push_back(converted(inst(Op::Shape, Type::I32, rank == 1 ? 0 : 1, {}, axis), counts));
      } else {
        covers = false;
        const InstId small = constant(Type::I32, 4);
        const InstId rest =
            inst(Op::Binary, Type::I32, static_cast<uint32_t>(BinaryOp::Mod), {value(Type::I32, 2), small});
        bounds.push_back(converted(rest, counts));
      }
    }
    const InstId id = inst(Op::For, Type::Void, loop_info(true), bounds);
    k_[id].blocks[0] = k_.add_block();
    access_.clear();
    for (const ir::Array& array : k_.arrays) {
      const bool may_own =
          covers && array.rank == static_cast<int32_t>(rank) && array.kind == ir::Array::Kind::Parameter;
      access_.push_back(may_own && chance(2) ? Access::Own : chance(2) ? Access::Atomic : Access::Read);
    }
    access_[kCalled] = covers && rank == 1 && chance(2) ? Access::OwnAtomic : Access::Atomic;
    atomic_variables_.clear();
    for (InstId variable : shared_) {
      if (chance(2)) atomic_variables_.insert(variable);
    }
    parallel_ = loop_ = id;
    loop_rank_ = rank;
    reductions(k_[id].blocks[0]);
    in_loop(false, [&] { statements(k_[id].blocks[0], 1 + below(5), deepest()); });
    parallel_ = loop_ = InstId::None;
  }
};

}  // namespace

ir::Kernel random_kernel(uint32_t seed, KernelOptions options) { return Generator(seed, options).run(); }

Launch random_launch(const ir::Kernel& kernel, uint32_t seed, uint32_t longest) {
  std::mt19937 random(seed);
  auto number = [&](Type type) { return from_double(type, static_cast<int>(random() % 11) - 3); };
  Launch launch;
  for (const ir::Param& param : kernel.params) launch.params.push_back(number(param.type));
  for (const ir::Array& array : kernel.arrays) {
    std::vector<int32_t> shape = array.shape;
    if (array.kind == ir::Array::Kind::Parameter) {
      for (int axis = 0; axis < array.rank; axis++) shape.push_back(1 + static_cast<int32_t>(random() % longest));
    }
    if (launch.shapes.size() == kCalled) shape = launch.shapes[0];  // a loop over the one is a loop over the other
    size_t size = 1;
    for (int32_t length : shape) size *= static_cast<size_t>(length);
    std::vector<uint64_t> elements(size);
    for (uint64_t& element : elements) element = number(array.type);
    launch.shapes.push_back(std::move(shape));
    launch.arrays.push_back(std::move(elements));
  }
  return launch;
}

bool is_free_of_order(const ir::Kernel& kernel, ir::BlockId block) {
  std::vector<bool> used(kernel.insts.size());
  bool free = true;
  ir::walk(kernel, block, [&](InstId id) {
    for (InstId operand : kernel.operands_of(id)) used[static_cast<size_t>(operand)] = true;
  });
  ir::walk(kernel, block, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    if (inst.op == Op::Print || inst.op == Op::Warn || inst.op == Op::Assert) free = false;
    if (inst.op == Op::AtomicCas) free = false;
    if (inst.op != Op::AtomicRmw) return;
    // Sums of integers; other operations on the same place would go with them in one order alone.
    const bool adds = inst.atomic_op() == ir::AtomicOp::Add || inst.atomic_op() == ir::AtomicOp::Sub;
    if (used[static_cast<size_t>(id)] || !adds || ir::is_float(inst.type)) free = false;
  });
  return free;
}

}  // namespace qd::testing
