#include "runtime/autodiff/tiles.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <span>
#include <utility>

namespace qd::autodiff {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::CompareOp;
using ir::Cost;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

constexpr int64_t kRows = 32;            // elements of a tile on the first axis
constexpr int64_t kBytes = 24 << 10;     // of a tile's local arrays, which stay in the cache
constexpr int64_t kLongest = 368;        // iterations of a tile on the last axis of two
constexpr int64_t kLongestOfThree = 64;  // and of three
constexpr int64_t kLeast = 8;            // of any axis, without which there are no tiles

/// Operations that computing once has to save for each number that is stored or read instead.
constexpr int64_t kSaved = 4;

/// A rough cost, in operations.
int64_t cost_of(const Inst& inst) {
  auto of = [](Cost cost) { return cost == Cost::Library ? 20 : cost == Cost::Slow ? 6 : 1; };
  if (inst.op == Op::Unary) return of(row(inst.unary_op()).cost);
  if (inst.op == Op::Binary) return inst.binary_op() == BinaryOp::Div ? 6 : of(row(inst.binary_op()).cost);
  return inst.op == Op::Const || inst.op == Op::LoopIndex || inst.op == Op::ElementPtr ? 0 : 1;
}

class Tiles {
 public:
  Tiles(ir::Kernel& kernel, ir::Builder& build, const NeighbourLoop& loop, const Sums& sums)
      : kernel_(kernel), build_(build), loop_(loop), sums_(sums), axes_(loop.axes()) {
    const std::vector<InstId> bounds = loop.bounds();
    for (uint32_t n = 0; n < axes_; ++n) {
      Axis axis{.begin = bounds[2 * n], .end = bounds[2 * n + 1]};
      const auto of = [n](const auto& each) { return each.first[n]; };
      axis.least = std::ranges::min(sums.by_distance | std::views::transform(of));
      axis.most = std::ranges::max(sums.by_distance | std::views::transform(of));
      axis_.push_back(axis);
    }
    for (const auto& [distance, list] : sums.by_distance) {
      for (InstId id : list) {
        const auto [value, negative] = sent(id);
        if (std::ranges::find(values_, value) == values_.end()) values_.push_back(value);
      }
    }
  }

  /// Chooses the size of a tile. False: there are none.
  bool choose() {
    if (axes_ < 2 || axes_ > 3) return false;
    const auto is_i32 = [&](InstId bound) { return kernel_[bound].type == Type::I32; };
    if (!std::ranges::all_of(loop_.bounds(), is_i32) || !saves()) return false;
    const int64_t numbers = kBytes / (ir::size_in_bytes(kernel_[values_[0]].type) *
                                      static_cast<int64_t>(values_.size()) * axis_[0].slots());
    Axis& last = axis_.back();
    last.length = std::min(axes_ == 2 ? kLongest : kLongestOfThree, numbers / (axes_ == 2 ? 16 : 64) * 16);
    if (axes_ == 3) axis_[1].length = numbers / std::max<int64_t>(last.length, 1);
    return std::ranges::all_of(axis_.begin() + 1, axis_.end(),
                               [](const Axis& axis) { return axis.length >= kLeast + axis.width(); });
  }

  void emit() {
    std::vector<InstId> counts;
    for (Axis& axis : axis_) {
      // The elements: those of the loop and those around. None where the loop has no iterations.
      axis.first = plus(axis.begin, axis.least);
      const InstId extent = binary(BinaryOp::Sub, axis.end, axis.begin);
      const InstId elements =
          build_.select(build_.compare(CompareOp::Gt, extent, constant(0)), plus(extent, axis.width()), constant(0));
      axis.behind = binary(BinaryOp::Add, axis.first, elements);
      const int64_t most = &axis == axis_.data() ? kRows : axis.length - axis.width();
      const InstId count = divide_up(elements, constant(most));
      axis.size = divide_up(elements, binary(BinaryOp::Max, count, constant(1)));
      counts.insert(counts.end(), {constant(0), count});
    }
    BlockId inside;
    const InstId tiles = new_loop(counts, true, inside);
    ir::Builder::Scope scope(build_, inside);
    int64_t length = axis_[0].slots();
    for (uint32_t n = 0; n < axes_; ++n) {
      Axis& axis = axis_[n];
      const InstId from = binary(BinaryOp::Mul, index(tiles, n), axis.size);
      axis.first = binary(BinaryOp::Add, axis.first, from);
      axis.behind = binary(BinaryOp::Min, binary(BinaryOp::Add, axis.first, axis.size), axis.behind);
      axis.origin = plus(axis.first, -axis.most);
      if (n > 0) length *= axis.length;
    }
    for (InstId value : values_) arrays_.push_back(build_.variable(kernel_[value].type, static_cast<uint64_t>(length)));
    const Axis& rows = axis_[0];
    BlockId row;
    const InstId loop = new_loop(std::array{rows.origin, plus(rows.behind, -rows.least)}, false, row);
    build_.set_block(row);
    emit_row(index(loop, 0));
  }

 private:
  struct Axis {
    InstId begin, end;             // of the loop
    int64_t least = 0, most = 0;   // distances
    int64_t length = 0;            // most iterations of a tile; of the first axis: unused
    InstId first = InstId::None;   // element of a tile; before the loop over tiles: of all
    InstId behind = InstId::None;  // the last one
    InstId size = InstId::None;    // elements of a tile
    InstId origin = InstId::None;  // the first iteration of a tile

    int64_t width() const { return most - least; }
    int64_t slots() const { return width() + 1; }
  };

  /// The number that an iteration adds, without its sign.
  std::pair<InstId, bool> sent(InstId addition) const {
    InstId value = kernel_.operands_of(addition)[1];
    bool negative = false;
    while (kernel_[value].op == Op::Unary && kernel_[value].unary_op() == ir::UnaryOp::Neg) {
      value = kernel_.operands_of(value)[0];
      negative = !negative;
    }
    return {value, negative};
  }

  /// Whether it pays to compute the numbers once, and to store and read them.
  bool saves() const {
    auto cost = [&](const std::set<InstId>& slice) {
      int64_t sum = 0;
      for (InstId id : slice) sum += cost_of(kernel_[id]);
      return sum;
    };
    std::set<InstId> all;
    int64_t several = 0, read = 0;
    for (const auto& [distance, list] : sums_.by_distance) {
      std::set<InstId> slice;
      for (InstId id : list) loop_.collect(sent(id).first, slice);
      several += cost(slice);
      read += static_cast<int64_t>(list.size());
      all.insert(slice.begin(), slice.end());
    }
    return several - cost(all) > kSaved * (read + static_cast<int64_t>(values_.size()));
  }

  InstId constant(int64_t n) { return build_.constant(Type::I32, static_cast<uint64_t>(n)); }
  InstId plus(InstId a, int64_t n) { return autodiff::plus(kernel_, build_, a, n); }
  InstId binary(BinaryOp op, InstId a, InstId b) { return build_.binary(op, a, b); }
  InstId divide_up(InstId a, InstId b) { return binary(BinaryOp::RawDiv, binary(BinaryOp::Add, a, plus(b, -1)), b); }

  InstId new_loop(std::span<const InstId> bounds, bool parallel, BlockId& inside) {
    const auto info = static_cast<uint32_t>(kernel_.loops.size());
    kernel_.loops.push_back(
        {.parallel = parallel, .name = parallel ? kernel_.loops[kernel_[loop_.loop()].aux].name : ""});
    const InstId loop = build_.inst(Op::For, Type::Void, bounds, info);
    inside = kernel_.add_block();
    kernel_[loop].blocks[0] = inside;
    return loop;
  }
  InstId index(InstId loop, uint32_t axis) {
    return build_.inst(Op::LoopIndex, Type::I32, {}, static_cast<uint32_t>(loop), axis);
  }
  /// A serial loop over the axes but the first; the indices on all axes.
  std::vector<InstId> inner_loop(InstId first, std::span<const InstId> bounds) {
    BlockId inside;
    const InstId loop = new_loop(bounds, false, inside);
    build_.set_block(inside);
    std::vector<InstId> indices{first};
    for (uint32_t n = 1; n < axes_; ++n) indices.push_back(index(loop, n - 1));
    return indices;
  }

  /// The iterations of a row, and the elements that have got all of theirs with it.
  void emit_row(InstId i) {
    const Axis& rows = axis_[0];
    const InstId in_loop =
        both(build_.compare(CompareOp::Ge, i, rows.begin), build_.compare(CompareOp::Lt, i, rows.end));
    build_.choose(in_loop, [&] { send(i); }, [&] { send_nothing(i); });
    const InstId element = plus(i, rows.least);
    build_.when(build_.compare(CompareOp::Ge, element, rows.first), [&] { receive(element); });
  }
  InstId both(InstId a, InstId b) { return binary(BinaryOp::BitAnd, a, b); }

  void send(InstId i) {
    std::vector<InstId> bounds;
    for (uint32_t n = 1; n < axes_; ++n) {
      const Axis& axis = axis_[n];
      bounds.push_back(binary(BinaryOp::Max, axis.origin, axis.begin));
      bounds.push_back(binary(BinaryOp::Min, plus(axis.behind, -axis.least), axis.end));
    }
    const InstId slot = row_of(i);
    const std::vector<InstId> iteration = inner_loop(i, bounds);
    std::unordered_map<InstId, InstId> copies;
    for (size_t n = 0; n < values_.size(); ++n) {
      const InstId value = loop_.copy(build_, values_[n], iteration, copies);
      build_.store(place(n, slot, iteration), value);
    }
  }

  void send_nothing(InstId i) {
    std::vector<InstId> bounds;
    for (uint32_t n = 1; n < axes_; ++n)
      bounds.insert(bounds.end(), {axis_[n].origin, plus(axis_[n].behind, -axis_[n].least)});
    const InstId slot = row_of(i);
    const std::vector<InstId> iteration = inner_loop(i, bounds);
    for (size_t n = 0; n < values_.size(); ++n)
      build_.store(place(n, slot, iteration), build_.constant(kernel_[values_[n]].type, 0));
  }

  void receive(InstId i) {
    std::vector<InstId> bounds;
    for (uint32_t n = 1; n < axes_; ++n) bounds.insert(bounds.end(), {axis_[n].first, axis_[n].behind});
    std::map<int64_t, InstId> slots;
    for (const auto& [distance, list] : sums_.by_distance) {
      if (!slots.contains(distance[0])) slots[distance[0]] = row_of(plus(i, -distance[0]));
    }
    const std::vector<InstId> element = inner_loop(i, bounds);
    InstId total = InstId::None;
    for (const auto& [distance, list] : sums_.by_distance) {
      std::vector<InstId> iteration{InstId::None};
      for (uint32_t n = 1; n < axes_; ++n) iteration.push_back(plus(element[n], -distance[n]));
      for (InstId id : list) {
        const auto [value, negative] = sent(id);
        const auto n = static_cast<size_t>(std::ranges::find(values_, value) - values_.begin());
        const InstId number = build_.load(place(n, slots.at(distance[0]), iteration));
        if (total == InstId::None) {
          total = negative ? build_.unary(ir::UnaryOp::Neg, number) : number;
        } else {
          total = binary(negative ? BinaryOp::Sub : BinaryOp::Add, total, number);
        }
      }
    }
    const InstId place = loop_.place(build_, sums_, element);
    build_.store(place, binary(BinaryOp::Add, build_.load(place), total));
  }

  /// The place of a row of iterations in the local arrays, as a number of rows.
  InstId row_of(InstId i) {
    return binary(BinaryOp::RawMod, binary(BinaryOp::Sub, i, axis_[0].origin), constant(axis_[0].slots()));
  }
  InstId place(size_t n, InstId slot, const std::vector<InstId>& iteration) {
    InstId at = slot;
    for (uint32_t axis = 1; axis < axes_; ++axis) {
      const InstId here = binary(BinaryOp::Sub, iteration[axis], axis_[axis].origin);
      at = binary(BinaryOp::Add, binary(BinaryOp::Mul, at, constant(axis_[axis].length)), here);
    }
    return build_.inst(Op::LocalPtr, kernel_[values_[n]].type, {arrays_[n], at});
  }

  ir::Kernel& kernel_;
  ir::Builder& build_;
  const NeighbourLoop& loop_;
  const Sums& sums_;
  const uint32_t axes_;
  std::vector<Axis> axis_;
  std::vector<InstId> values_;  // that iterations add
  std::vector<InstId> arrays_;  // local ones, of the values of a tile
};

}  // namespace

bool gather_in_tiles(ir::Kernel& kernel, ir::Builder& build, const NeighbourLoop& loop, const Sums& sums) {
  Tiles tiles(kernel, build, loop, sums);
  if (!tiles.choose()) return false;
  tiles.emit();
  return true;
}

}  // namespace qd::autodiff
