// The table of operations, and how instructions are added.
#include "runtime/ir/kernel.h"

#include <algorithm>

#include "runtime/ir/names.h"
#include "runtime/ir/walk.h"

namespace qd::ir {
namespace {

struct OpRow {
  std::string_view name;
  int operands;
  ResultKind result;
};

constexpr OpRow kOps[] = {
#define QD_OP(op, text, operands, result) {text, operands, ResultKind::result},
#include "runtime/ir/op.def"
#undef QD_OP
};

constexpr std::string_view kUnary[] = {
    "neg",  "bit_not", "logical_not", "abs",  "sign", "sqrt", "rsqrt", "sin",   "cos",  "tan",    "asin",   "acos",   "atan",
    "sinh", "cosh",    "tanh",        "exp",  "log",  "floor", "ceil", "round", "is_nan", "is_inf", "popcnt", "clz", "ffs",
};
constexpr std::string_view kBinary[] = {
    "add", "sub", "mul",         "div",     "floor_div", "mod",     "raw_div", "raw_mod", "pow",
    "shl", "shr", "logical_shr", "bit_and", "bit_or",    "bit_xor", "min",     "max",     "atan2",
};
constexpr std::string_view kCompare[] = {"lt", "le", "gt", "ge", "eq", "ne", "add_overflows", "sub_overflows", "mul_overflows"};
constexpr std::string_view kAtomic[] = {"add", "sub", "mul", "min", "max", "and", "or", "xor", "exchange"};

static_assert(std::size(kUnary) == static_cast<size_t>(UnaryOp::Ffs) + 1);
static_assert(std::size(kBinary) == static_cast<size_t>(BinaryOp::Atan2) + 1);
static_assert(std::size(kCompare) == static_cast<size_t>(CompareOp::MulOverflows) + 1);
static_assert(std::size(kAtomic) == static_cast<size_t>(AtomicOp::Exchange) + 1);

template <class Enum, size_t n>
std::optional<Enum> find(const std::string_view (&table)[n], std::string_view name) {
  for (size_t i = 0; i < n; i++) {
    if (table[i] == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Op op) { return kOps[static_cast<size_t>(op)].name; }
ResultKind result_kind(Op op) { return kOps[static_cast<size_t>(op)].result; }
int operand_count(Op op) { return kOps[static_cast<size_t>(op)].operands; }

std::string_view name(UnaryOp op) { return kUnary[static_cast<size_t>(op)]; }
std::string_view name(BinaryOp op) { return kBinary[static_cast<size_t>(op)]; }
std::string_view name(CompareOp op) { return kCompare[static_cast<size_t>(op)]; }
std::string_view name(AtomicOp op) { return kAtomic[static_cast<size_t>(op)]; }

std::optional<Op> op_from_name(std::string_view name) {
  for (size_t i = 0; i < std::size(kOps); i++) {
    if (kOps[i].name == name) return static_cast<Op>(i);
  }
  return std::nullopt;
}
std::optional<UnaryOp> unary_from_name(std::string_view name) { return find<UnaryOp>(kUnary, name); }
std::optional<BinaryOp> binary_from_name(std::string_view name) { return find<BinaryOp>(kBinary, name); }
std::optional<CompareOp> compare_from_name(std::string_view name) { return find<CompareOp>(kCompare, name); }
std::optional<AtomicOp> atomic_from_name(std::string_view name) { return find<AtomicOp>(kAtomic, name); }

InstId Kernel::add_inst(Inst inst, std::span<const InstId> args) {
  inst.operand_begin = static_cast<uint32_t>(operands.size());
  inst.operand_count = static_cast<uint16_t>(args.size());
  if (!args.empty() && args.data() >= operands.data() && args.data() < operands.data() + operands.size()) {
    // The arguments are another instruction's operands, which the insertion may move.
    std::vector<InstId> copy(args.begin(), args.end());
    operands.insert(operands.end(), copy.begin(), copy.end());
  } else {
    operands.insert(operands.end(), args.begin(), args.end());
  }
  insts.push_back(inst);
  return static_cast<InstId>(insts.size() - 1);
}

CounterRange counters_of(const Kernel& kernel, const Task& task, Op op) {
  uint32_t first = UINT32_MAX, last = 0;
  for (BlockId block : {task.prologue, task.body, task.epilogue}) {
    walk(kernel, block, [&](InstId id) {
      if (kernel[id].op != op) return;
      first = std::min(first, kernel[id].aux);
      last = std::max(last, kernel[id].aux);
    });
  }
  return first > last ? CounterRange{} : CounterRange{first, last - first + 1};
}

}  // namespace qd::ir
