#include "runtime/autodiff/gather.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/autodiff/neighbour_loop.h"
#include "runtime/autodiff/normal_form.h"
#include "runtime/autodiff/tiles.h"
#include "runtime/ir/builder.h"

namespace qd::autodiff {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::CompareOp;
using ir::InstId;
using ir::Op;
using ir::Type;

/// Most instructions that the iterations of a new loop compute.
constexpr size_t kMaxInstructions = 600;

/// Whether other iterations add to the same elements, and the new loops are small.
bool is_worth(const ir::Kernel& kernel, const NeighbourLoop& loop, const Sums& sums) {
  const bool own = sums.by_distance.size() == 1 &&
                   std::ranges::all_of(sums.by_distance.begin()->first, [](int64_t d) { return d == 0; });
  if (own) return false;
  size_t size = 0;
  for (const auto& [distance, list] : sums.by_distance) {
    std::set<InstId> slice;
    for (InstId id : list) loop.collect(kernel.operands_of(id)[1], slice);
    size += slice.size();
  }
  return size <= kMaxInstructions;
}

/// Emitter of the loops that take the place of the additions to one array.
class Gatherer {
 public:
  Gatherer(ir::Kernel& kernel, ir::Builder& build, const NeighbourLoop& loop)
      : kernel_(kernel), build_(build), loop_(loop) {}

  void emit(const Sums& sums) {
    const std::vector<InstId> bounds = loop_.bounds();
    std::vector<Axis> axes;
    for (uint32_t n = 0; n < loop_.axes(); ++n) {
      int64_t least = INT64_MAX, most = INT64_MIN;
      for (const auto& [distance, list] : sums.by_distance) {
        least = std::min(least, distance[n]);
        most = std::max(most, distance[n]);
      }
      const InstId begin = bounds[2 * n], end = bounds[2 * n + 1];
      axes.push_back({kernel_[begin].type, begin, end, plus(begin, most), plus(end, least), most - least});
    }
    gather(sums, axes);
    if (std::ranges::any_of(axes, [](const Axis& axis) { return axis.width != 0; })) scatter(sums, axes);
  }

 private:
  struct Axis {
    Type type;
    InstId begin, end;  // of the loop
    InstId from, to;    // of the elements that get all they get from iterations of the loop
    int64_t width;      // of the additions: the largest distance less the smallest
  };

  InstId plus(InstId a, int64_t n) { return autodiff::plus(kernel_, build_, a, n); }

  InstId new_loop(std::span<const InstId> bounds, BlockId& inside) {
    const auto info = static_cast<uint32_t>(kernel_.loops.size());
    kernel_.loops.push_back({true, 0, kernel_.loops[kernel_[loop_.loop()].aux].name});
    const InstId loop = build_.inst(Op::For, Type::Void, bounds, info);
    inside = kernel_.add_block();
    kernel_[loop].blocks[0] = inside;
    return loop;
  }
  InstId index(InstId loop, const Axis& axis, uint32_t n) {
    return build_.inst(Op::LoopIndex, axis.type, {}, static_cast<uint32_t>(loop), n);
  }

  void gather(const Sums& sums, const std::vector<Axis>& axes) {
    std::vector<InstId> bounds;
    for (const Axis& axis : axes) bounds.insert(bounds.end(), {axis.from, axis.to});
    BlockId inside;
    const InstId loop = new_loop(bounds, inside);
    ir::Builder::Scope scope(build_, inside);
    std::vector<InstId> element;
    for (uint32_t n = 0; n < loop_.axes(); ++n) element.push_back(index(loop, axes[n], n));
    InstId total = InstId::None;
    for (const auto& [distance, list] : sums.by_distance) {
      std::vector<InstId> iteration;
      for (uint32_t n = 0; n < loop_.axes(); ++n) iteration.push_back(plus(element[n], -distance[n]));
      std::unordered_map<InstId, InstId> copies;
      for (InstId id : list) {
        const InstId value = loop_.copy(build_, kernel_.operands_of(id)[1], iteration, copies);
        total = total == InstId::None ? value : build_.binary(BinaryOp::Add, total, value);
      }
    }
    add(sums, element, total);
  }

  void add(const Sums& sums, const std::vector<InstId>& element, InstId value) {
    build_.atomic(ir::AtomicOp::Add, loop_.place(build_, sums, element), value);
  }

  /// The elements near the bounds of the loop. The iterations that add to them are near a bound on some axis: a loop
  /// for each axis has those for which it is the first one, so that none of them is in two loops, and all are parallel.
  ///
  ///     first and last rows:  XXXXX     first and last columns
  ///                           Y   Y     of the rows between them
  ///                           XXXXX
  void scatter(const Sums& sums, const std::vector<Axis>& axes) {
    for (uint32_t first = 0; first < loop_.axes(); ++first) {
      if (axes[first].width != 0) scatter(sums, axes, first);
    }
  }
  void scatter(const Sums& sums, const std::vector<Axis>& axes, uint32_t first) {
    const InstId length = build_.binary(BinaryOp::Sub, axes[first].end, axes[first].begin);
    const InstId ends = build_.binary(BinaryOp::Min, length, constant(axes[first], 2 * axes[first].width));
    std::vector<InstId> bounds;
    for (uint32_t n = 0; n < loop_.axes(); ++n) {
      const Axis& axis = axes[n];
      if (n < first) bounds.insert(bounds.end(), {plus(axis.begin, axis.width), plus(axis.end, -axis.width)});
      if (n == first) bounds.insert(bounds.end(), {constant(axis, 0), ends});
      if (n > first) bounds.insert(bounds.end(), {axis.begin, axis.end});
    }
    BlockId inside;
    const InstId loop = new_loop(bounds, inside);
    ir::Builder::Scope scope(build_, inside);
    std::vector<InstId> iteration;
    for (uint32_t n = 0; n < loop_.axes(); ++n) {
      const InstId at = index(loop, axes[n], n);
      iteration.push_back(n == first ? row_index(axes[n], at, ends) : at);
    }
    near_bounds(sums, axes, iteration);
  }
  InstId constant(const Axis& axis, int64_t n) { return build_.constant(axis.type, static_cast<uint64_t>(n)); }
  /// The n-th of the first and last iterations on an axis.
  InstId row_index(const Axis& axis, InstId n, InstId count) {
    const InstId first = build_.binary(BinaryOp::Add, axis.begin, n);
    const InstId second = build_.binary(BinaryOp::Sub, axis.end, build_.binary(BinaryOp::Sub, count, n));
    return build_.select(build_.compare(CompareOp::Lt, n, constant(axis, axis.width)), first, second);
  }

  /// The additions of an iteration to elements that gather() leaves out.
  void near_bounds(const Sums& sums, const std::vector<Axis>& axes, const std::vector<InstId>& iteration) {
    std::unordered_map<InstId, InstId> copies;
    for (const auto& [distance, list] : sums.by_distance) {
      std::vector<InstId> element;
      InstId near = build_.constant(Type::U1, 0);
      for (uint32_t n = 0; n < loop_.axes(); ++n) {
        element.push_back(plus(iteration[n], distance[n]));
        near = build_.binary(BinaryOp::BitOr, near, build_.compare(CompareOp::Lt, element[n], axes[n].from));
        near = build_.binary(BinaryOp::BitOr, near, build_.compare(CompareOp::Ge, element[n], axes[n].to));
      }
      InstId total = InstId::None;
      for (InstId id : list) {
        const InstId value = loop_.copy(build_, kernel_.operands_of(id)[1], iteration, copies);
        total = total == InstId::None ? value : build_.binary(BinaryOp::Add, total, value);
      }
      const InstId branch = build_.inst(Op::If, Type::Void, {near});
      const BlockId yes = kernel_.add_block(), no = kernel_.add_block();
      kernel_[branch].blocks = {yes, no};
      ir::Builder::Scope scope(build_, yes);
      add(sums, element, total);
    }
  }

  ir::Kernel& kernel_;
  ir::Builder& build_;
  const NeighbourLoop& loop_;
};

void rewrite(ir::Kernel& kernel, InstId id, bool tiles) {
  const NeighbourLoop loop(kernel, id);
  std::set<InstId> gone;
  for (const auto& [array, sums] : loop.find_sums()) {
    if (!is_worth(kernel, loop, sums)) continue;
    ir::Builder build(kernel, kernel.body, kernel[id].location);
    if (!tiles || !gather_in_tiles(kernel, build, loop, sums)) Gatherer(kernel, build, loop).emit(sums);
    for (const auto& [distance, list] : sums.by_distance) gone.insert(list.begin(), list.end());
  }
  std::erase_if(kernel[loop.body()], [&](InstId inst) { return gone.contains(inst); });
}

}  // namespace

void gather_sums(ir::Kernel& kernel, bool tiles) {
  for (InstId id : std::exchange(kernel[kernel.body], {})) {
    if (is_parallel(kernel, id, Level::Top)) rewrite(kernel, id, tiles);
    kernel[kernel.body].push_back(id);
  }
}

}  // namespace qd::autodiff
