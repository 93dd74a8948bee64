#include "runtime/autodiff/stack.h"

#include <algorithm>
#include <utility>

namespace qd::autodiff {

using ir::BinaryOp;
using ir::BlockId;
using ir::Builder;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

bool is_wide(Type type) { return ir::bit_width(type) == 64; }
size_t width_of(Type type) { return is_wide(type) ? 1 : 0; }

}  // namespace

Stacks::Stacks(ir::Kernel& kernel, const KeptValues& kept, bool counts)
    : kernel_(kernel), kept_(kept), counts_(counts) {
  if (counts || !kept.has_rows()) return;
  for (size_t width = 0; width < kWidths; ++width) {
    arrays_[width] = static_cast<uint32_t>(kernel.arrays.size());
    ir::Array array;
    array.kind = ir::Array::Kind::Stack;
    array.name = width == 0 ? "stack32" : "stack64";
    array.type = width == 0 ? Type::U32 : Type::U64;
    array.rank = 2;
    kernel.arrays.push_back(std::move(array));
  }
}

void Stacks::begin(BlockId root, Builder& build, InstId row) {
  const StackPlan& plan = *kept_.stack(root);
  Stack& stack = stacks_[root];
  stack.bounded = plan.bounded;
  stack.row = row;
  if (!plan.bounded && !counts_ && row == InstId::None) {
    const InstId rows = build.inst(Op::Shape, Type::I32, {}, arrays_[0], 0);
    stack.row = build.cast(Type::I64, build.binary(BinaryOp::Sub, rows, build.constant(Type::I32, 1)));
  }
  for (const auto& [type, count] : plan.numbers) {
    Part& part = stack.parts[type_in(stack, type)];
    if (part.top != InstId::None) continue;  // another type of the same width
    part.top = build.variable(Type::I64);
    build.store(part.top, build.constant(Type::I64, 0));
    if (plan.bounded && !counts_) part.numbers = build.variable(type, std::max<uint64_t>(count, 1));
  }
}

/// The type in which a stack holds the numbers of a type.
Type Stacks::type_in(const Stack& stack, Type type) const {
  return stack.bounded ? type : is_wide(type) ? Type::U64 : Type::U32;
}

InstId Stacks::place(const Stack& stack, Type type, Builder& build, InstId at) const {
  const Part& part = stack.parts.at(type);
  if (stack.bounded) return build.inst(Op::LocalPtr, type, {part.numbers, build.cast(Type::I32, at)});
  return build.inst(Op::ElementPtr, type, {stack.row, at}, arrays_[width_of(type)]);
}

/// A number as a word of its width, and back.
InstId Stacks::into(Type word, Builder& build, InstId value) const {
  const Type type = kernel_[value].type;
  if (type == word) return value;
  if (type == Type::F16) return into(word, build, build.cast(Type::F32, value));
  return ir::bit_width(type) == ir::bit_width(word) ? build.inst(Op::BitCast, word, {value}) : build.cast(word, value);
}

InstId Stacks::out_of(Type type, Builder& build, InstId word) const {
  const Type from = kernel_[word].type;
  if (type == from) return word;
  if (type == Type::F16) return build.cast(type, out_of(Type::F32, build, word));
  return ir::bit_width(type) == ir::bit_width(from) ? build.inst(Op::BitCast, type, {word}) : build.cast(type, word);
}

void Stacks::push(BlockId root, Builder& build, std::span<const InstId> values) {
  const Stack& stack = stacks_.at(root);
  std::map<Type, std::vector<InstId>> by_type;
  for (InstId value : values) by_type[type_in(stack, kernel_[value].type)].push_back(value);
  for (const auto& [type, list] : by_type) {
    const InstId variable = stack.parts.at(type).top;
    const InstId top = build.load(variable);
    auto above = [&](size_t n) {
      return n == 0 ? top : build.binary(BinaryOp::Add, top, build.constant(Type::I64, n));
    };
    for (size_t n = 0; n < list.size() && !counts_; ++n)
      build.store(place(stack, type, build, above(n)), into(type, build, list[n]));
    build.store(variable, above(list.size()));
  }
}

std::vector<InstId> Stacks::pop(BlockId root, Builder& build, std::span<const InstId> like) {
  const Stack& stack = stacks_.at(root);
  std::map<Type, InstId> bottoms;
  for (InstId value : like) bottoms.try_emplace(type_in(stack, kernel_[value].type), InstId::None);
  std::map<Type, uint64_t> next;
  for (InstId value : like) ++next[type_in(stack, kernel_[value].type)];
  for (auto& [type, bottom] : bottoms) {
    const InstId variable = stack.parts.at(type).top;
    bottom = build.binary(BinaryOp::Sub, build.load(variable), build.constant(Type::I64, std::exchange(next[type], 0)));
    build.store(variable, bottom);
  }
  std::vector<InstId> values;
  for (InstId value : like) {
    const Type type = type_in(stack, kernel_[value].type);
    const uint64_t n = next[type]++;
    const InstId at = n == 0 ? bottoms[type] : build.binary(BinaryOp::Add, bottoms[type], build.constant(Type::I64, n));
    values.push_back(out_of(kernel_[value].type, build, build.load(place(stack, type, build, at))));
  }
  return values;
}

mathematics::Value Stacks::workers(mathematics::Notation& notation) const {
  const mathematics::Value rows(notation, notation.build().inst(Op::Shape, Type::I32, {}, arrays_[0], 0));
  return convert(Type::I64, rows) - notation.whole(Type::I64, 1);
}

void Stacks::begin_counts(Builder& build) {
  for (InstId& variable : largest_) {
    variable = build.variable(Type::I64);
    build.store(variable, build.constant(Type::I64, 0));
  }
}

void Stacks::count(BlockId root, Builder& build, bool alone) {
  const Stack& stack = stacks_.at(root);
  if (stack.bounded) return;
  for (const auto& [type, part] : stack.parts) {
    const InstId variable = largest_[width_of(type)];
    const InstId size = build.load(part.top);
    if (alone) {
      build.store(variable, build.binary(BinaryOp::Max, build.load(variable), size));
    } else {
      build.atomic(ir::AtomicOp::Max, variable, size);
    }
  }
}

void Stacks::return_counts(Builder& build) {
  const std::array values{build.load(largest_[0]), build.load(largest_[1])};
  build.inst(Op::Return, Type::Void, values);
  kernel_.results = {Type::I64, Type::I64};
}

}  // namespace qd::autodiff
