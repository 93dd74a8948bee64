#include "runtime/autodiff/gather.h"

#include <algorithm>
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
      axes.push_back({kernel_[begin].type, begin, end, plus(begin, least), plus(end, most), plus(begin, most),
                      plus(end, least), most - least});
    }
    gather(sums, axes);
    for (uint32_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis].width != 0) gather_near_bounds(sums, axes, axis);
    }
  }

 private:
  struct Axis {
    Type type;
    InstId begin, end;     // of the loop
    InstId first, behind;  // the elements that get something, if the loop has iterations
    InstId from, to;       // those of them that get all they get from iterations of the loop
    int64_t width;         // of the additions: the largest distance less the smallest
  };

  InstId plus(InstId a, int64_t n) { return autodiff::plus(kernel_, build_, a, n); }
  InstId constant(const Axis& axis, int64_t n) { return build_.constant(axis.type, static_cast<uint64_t>(n)); }

  InstId new_loop(std::span<const InstId> bounds) {
    const auto info = static_cast<uint32_t>(kernel_.loops.size());
    kernel_.loops.push_back({.name = kernel_.loops[kernel_[loop_.loop()].aux].name});
    const InstId loop = build_.inst(Op::For, Type::Void, bounds, info);
    const BlockId inside = kernel_.add_block();
    kernel_[loop].blocks[0] = inside;
    build_.set_block(inside);
    return loop;
  }
  InstId index(InstId loop, const Axis& axis, uint32_t n) {
    return build_.inst(Op::LoopIndex, axis.type, {}, static_cast<uint32_t>(loop), n);
  }

  void gather(const Sums& sums, const std::vector<Axis>& axes) {
    const ir::Builder::Scope scope(build_);
    std::vector<InstId> bounds;
    for (const Axis& axis : axes) bounds.insert(bounds.end(), {axis.from, axis.to});
    const InstId loop = new_loop(bounds);
    std::vector<InstId> element;
    for (uint32_t n = 0; n < axes.size(); ++n) element.push_back(index(loop, axes[n], n));
    InstId total = InstId::None;
    for (const auto& [distance, list] : sums.by_distance) {
      std::vector<InstId> iteration;
      for (uint32_t n = 0; n < axes.size(); ++n) iteration.push_back(plus(element[n], -distance[n]));
      total = sum(total, sent(list, iteration));
    }
    build_.atomic(ir::AtomicOp::Add, loop_.place(build_, sums, element), total);
  }

  /// The elements near the bounds of the loop. A loop for each axis has those for which it is the first axis near whose
  /// bounds they are, so that none of them is in two loops, and all are parallel.
  ///
  ///     first and last rows:  RRRRR     first and last columns
  ///                           C   C     of the rows between them
  ///                           RRRRR
  void gather_near_bounds(const Sums& sums, const std::vector<Axis>& axes, uint32_t near) {
    const ir::Builder::Scope scope(build_);
    std::vector<InstId> bounds;
    InstId count = InstId::None;
    for (uint32_t n = 0; n < axes.size(); ++n) {
      const Axis& axis = axes[n];
      if (n < near) {
        bounds.insert(bounds.end(), {axis.from, axis.to});
        continue;
      }
      const InstId any = build_.compare(CompareOp::Lt, axis.begin, axis.end);
      if (n > near) {
        bounds.insert(bounds.end(), {axis.first, build_.select(any, axis.behind, axis.first)});
      } else {
        const InstId elements = build_.binary(BinaryOp::Sub, axis.behind, axis.first);
        count = build_.binary(BinaryOp::Min, elements, constant(axis, 2 * axis.width));
        bounds.insert(bounds.end(), {constant(axis, 0), build_.select(any, count, constant(axis, 0))});
      }
    }
    const InstId loop = new_loop(bounds);
    std::vector<InstId> element;
    for (uint32_t n = 0; n < axes.size(); ++n) {
      const InstId at = index(loop, axes[n], n);
      element.push_back(n == near ? element_near(axes[n], at, count) : at);
    }
    InstId total = InstId::None;
    for (const auto& [distance, list] : sums.by_distance) {
      std::vector<InstId> iteration;
      InstId in_loop = build_.constant(Type::U1, 1);
      for (uint32_t n = 0; n < axes.size(); ++n) {
        iteration.push_back(plus(element[n], -distance[n]));
        if (n < near || axes[n].width == 0) continue;
        in_loop = both(in_loop, build_.compare(CompareOp::Ge, iteration[n], axes[n].begin));
        in_loop = both(in_loop, build_.compare(CompareOp::Lt, iteration[n], axes[n].end));
        // In place of an iteration that is not there, one that is: it reads nothing outside of arrays.
        const InstId low = build_.binary(BinaryOp::Max, iteration[n], axes[n].begin);
        iteration[n] = build_.binary(BinaryOp::Min, low, plus(axes[n].end, -1));
      }
      const InstId value = sent(list, iteration);
      total = sum(total, build_.select(in_loop, value, build_.constant(kernel_[value].type, 0)));
    }
    const InstId place = loop_.place(build_, sums, element);
    build_.store(place, sum(build_.load(place), total));
  }
  InstId both(InstId a, InstId b) { return build_.binary(BinaryOp::BitAnd, a, b); }
  /// The n-th of the first and last elements on an axis.
  InstId element_near(const Axis& axis, InstId n, InstId count) {
    const InstId first = build_.binary(BinaryOp::Add, axis.first, n);
    const InstId last = build_.binary(BinaryOp::Sub, axis.behind, build_.binary(BinaryOp::Sub, count, n));
    return build_.select(build_.compare(CompareOp::Lt, n, constant(axis, axis.width)), first, last);
  }

  /// The sum of what an iteration adds at a distance.
  InstId sent(const std::vector<InstId>& additions, const std::vector<InstId>& iteration) {
    std::unordered_map<InstId, InstId> copies;
    InstId total = InstId::None;
    for (InstId id : additions) total = sum(total, loop_.copy(build_, kernel_.operands_of(id)[1], iteration, copies));
    return total;
  }
  /// `a + b`; None is nothing.
  InstId sum(InstId a, InstId b) { return a == InstId::None ? b : build_.binary(BinaryOp::Add, a, b); }

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
