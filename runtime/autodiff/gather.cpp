#include "runtime/autodiff/gather.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/autodiff/normal_form.h"
#include "runtime/ir/builder.h"
#include "runtime/ir/walk.h"

namespace qd::autodiff {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::CompareOp;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

/// Most instructions that the iterations of a new loop compute.
constexpr size_t kMaxInstructions = 600;

/// An index of an element: `axis` of the loop plus a distance; or a value from outside of the loop, or a constant.
struct Index {
  std::optional<uint32_t> axis;
  int64_t distance = 0;
  InstId value = InstId::None;
};

/// The additions of a loop to an array, by their distances on each axis of the loop.
struct Sums {
  std::vector<Index> indices;  // of the first; the others differ in distances alone
  std::map<std::vector<int64_t>, std::vector<InstId>> by_distance;
};

class Gatherer {
 public:
  explicit Gatherer(ir::Kernel& kernel) : kernel_(kernel), build_(kernel) {}

  void run() {
    for (InstId id : std::exchange(kernel_[kernel_.body], {})) {
      if (is_parallel(kernel_, id, Level::Top)) rewrite(id);
      kernel_[kernel_.body].push_back(id);
    }
  }

 private:
  std::vector<InstId> operands(InstId id) const {
    const auto args = kernel_.operands_of(id);
    return {args.begin(), args.end()};
  }

  void rewrite(InstId loop) {
    loop_ = loop;
    body_ = kernel_[loop].blocks[0];
    axes_ = static_cast<uint32_t>(kernel_.operands_of(loop).size() / 2);
    inside_.clear();
    walk(kernel_, body_, [&](InstId id) { inside_.insert(id); });
    std::map<uint32_t, Sums> arrays = find_sums();
    std::set<InstId> gone;
    for (const auto& [array, sums] : arrays) {
      if (!is_worth(sums)) continue;
      build_.set_location(kernel_[loop].location);
      build_.set_block(kernel_.body);
      emit(sums);
      for (const auto& [distance, list] : sums.by_distance) gone.insert(list.begin(), list.end());
    }
    std::erase_if(kernel_[body_], [&](InstId id) { return gone.contains(id); });
  }

  // --- analysis ---

  std::map<uint32_t, Sums> find_sums() {
    std::map<uint32_t, Sums> found;
    std::set<uint32_t> spoiled;
    std::set<InstId> used;
    for (InstId id : inside_) {
      for (InstId operand : kernel_.operands_of(id)) used.insert(operand);
    }
    const std::set<InstId> flat(kernel_[body_].begin(), kernel_[body_].end());
    for (InstId id : kernel_[body_]) visit(id, used, found, spoiled);
    for (InstId id : inside_) {
      const Inst& inst = kernel_[id];
      if (flat.contains(id) || !ir::accesses_memory(inst.op)) continue;
      const Inst& place = kernel_[kernel_.operands_of(id)[0]];
      if (place.op == Op::ElementPtr) spoiled.insert(place.aux);
    }
    for (uint32_t array : spoiled) found.erase(array);
    std::erase_if(found, [&](const auto& one) { return !is_pure(one.second); });
    return found;
  }

  void visit(InstId id, const std::set<InstId>& used, std::map<uint32_t, Sums>& found, std::set<uint32_t>& spoiled) {
    const Inst& inst = kernel_[id];
    if (!ir::accesses_memory(inst.op)) return;
    const InstId place = kernel_.operands_of(id)[0];
    if (kernel_[place].op != Op::ElementPtr) return;
    const uint32_t array = kernel_[place].aux;
    const bool adds = inst.op == Op::AtomicRmw && inst.atomic_op() == ir::AtomicOp::Add && !used.contains(id);
    const auto indices = adds ? indices_of(place) : std::nullopt;
    if (!indices) {
      spoiled.insert(array);
      return;
    }
    Sums& sums = found[array];
    if (sums.indices.empty()) sums.indices = *indices;
    std::vector<int64_t> distances(axes_);
    bool same = true;
    for (size_t n = 0; n < indices->size(); ++n) {
      const Index &index = (*indices)[n], &first = sums.indices[n];
      same = same && index.axis == first.axis && same_outside(index.value, first.value);
      if (index.axis) distances[*index.axis] = index.distance;
    }
    if (same) {
      sums.by_distance[distances].push_back(id);
    } else {
      spoiled.insert(array);
    }
  }

  bool same_outside(InstId a, InstId b) const {
    if (a == b) return true;
    if (a == InstId::None || b == InstId::None) return false;
    return kernel_[a].op == Op::Const && kernel_[b].op == Op::Const && kernel_[a].imm == kernel_[b].imm;
  }

  /// The indices of a place; nothing unless each axis of the loop is in one of them.
  std::optional<std::vector<Index>> indices_of(InstId place) const {
    std::vector<Index> indices;
    std::set<uint32_t> axes;
    for (InstId operand : kernel_.operands_of(place)) {
      Index index = index_of(operand);
      if (!index.axis && index.value == InstId::None) return std::nullopt;
      if (index.axis && !axes.insert(*index.axis).second) return std::nullopt;
      indices.push_back(index);
    }
    if (axes.size() != axes_) return std::nullopt;
    return indices;
  }

  Index index_of(InstId id) const {
    const Inst& inst = kernel_[id];
    if (inst.op == Op::LoopIndex && inst.aux_inst() == loop_) return {inst.axis(), 0, InstId::None};
    if (inst.op == Op::Const || !inside_.contains(id)) return {std::nullopt, 0, id};
    if (inst.op != Op::Binary || (inst.binary_op() != BinaryOp::Add && inst.binary_op() != BinaryOp::Sub)) return {};
    const auto args = kernel_.operands_of(id);
    const bool adds = inst.binary_op() == BinaryOp::Add;
    const Index left = index_of(args[0]), right = index_of(args[1]);
    if (left.axis && right.value != InstId::None && kernel_[right.value].op == Op::Const) {
      const int64_t distance = kernel_[right.value].integer();
      return {left.axis, left.distance + (adds ? distance : -distance), InstId::None};
    }
    if (adds && right.axis && left.value != InstId::None && kernel_[left.value].op == Op::Const)
      return {right.axis, right.distance + kernel_[left.value].integer(), InstId::None};
    return {};
  }

  /// Whether the added numbers can be computed in another iteration, before the loop: from arrays that the loop does
  /// not write, or writes later in the iteration's own element.
  bool is_pure(const Sums& sums) {
    std::set<InstId> seen;
    for (const auto& [distance, list] : sums.by_distance) {
      for (InstId id : list) {
        if (!is_pure(kernel_.operands_of(id)[1], seen)) return false;
      }
    }
    return true;
  }
  bool is_pure(InstId id, std::set<InstId>& seen) const {
    if (!inside_.contains(id) || !seen.insert(id).second) return true;
    const Inst& inst = kernel_[id];
    if (inst.op == Op::Load ? !is_unchanged(id)
                            : !ir::is_pure(inst.op) && inst.op != Op::LoopIndex && inst.op != Op::ElementPtr)
      return false;
    return std::ranges::all_of(kernel_.operands_of(id), [&](InstId operand) { return is_pure(operand, seen); });
  }
  bool is_unchanged(InstId load) const {
    const InstId place = kernel_.operands_of(load)[0];
    if (kernel_[place].op != Op::ElementPtr) return false;
    return std::ranges::all_of(inside_, [&](InstId id) {
      const Inst& inst = kernel_[id];
      if (!ir::has_effect(inst.op, ir::kWrites) || inst.operand_count == 0) return true;
      const InstId written = kernel_.operands_of(id)[0];
      if (kernel_[written].op != Op::ElementPtr || kernel_[written].aux != kernel_[place].aux) return true;
      return inst.op == Op::Store && load < id && is_own(written) && same_place(written, place);
    });
  }
  bool is_own(InstId place) const {
    const auto indices = indices_of(place);
    return indices && std::ranges::all_of(*indices, [](const Index& index) { return index.distance == 0; });
  }
  bool same_place(InstId a, InstId b) const {
    const auto x = indices_of(a), y = indices_of(b);
    return x && y && std::ranges::equal(*x, *y, [&](const Index& m, const Index& n) {
             return m.axis == n.axis && m.distance == n.distance && same_outside(m.value, n.value);
           });
  }

  /// Whether other iterations add to the same elements, and the new loops are small.
  bool is_worth(const Sums& sums) {
    const bool own = sums.by_distance.size() == 1 &&
                     std::ranges::all_of(sums.by_distance.begin()->first, [](int64_t d) { return d == 0; });
    if (own) return false;
    size_t size = 0;
    for (const auto& [distance, list] : sums.by_distance) {
      std::set<InstId> slice;
      for (InstId id : list) collect(kernel_.operands_of(id)[1], slice);
      size += slice.size();
    }
    return size <= kMaxInstructions;
  }
  void collect(InstId id, std::set<InstId>& slice) const {
    if (!inside_.contains(id) || !slice.insert(id).second) return;
    for (InstId operand : kernel_.operands_of(id)) collect(operand, slice);
  }

  // --- the new loops ---

  struct Axis {
    Type type;
    InstId begin, end;  // of the loop
    InstId from, to;    // of the elements that get all they get from iterations of the loop
    int64_t width;      // of the additions: the largest distance less the smallest
  };

  InstId plus(InstId a, int64_t n) {
    if (n == 0) return a;
    return build_.binary(BinaryOp::Add, a, build_.constant(kernel_[a].type, static_cast<uint64_t>(n)));
  }

  void emit(const Sums& sums) {
    const std::vector<InstId> bounds = operands(loop_);
    std::vector<Axis> axes;
    for (uint32_t n = 0; n < axes_; ++n) {
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

  InstId new_loop(std::span<const InstId> bounds, BlockId& inside) {
    const auto info = static_cast<uint32_t>(kernel_.loops.size());
    kernel_.loops.push_back({true, 0, kernel_.loops[kernel_[loop_].aux].name});
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
    for (uint32_t n = 0; n < axes_; ++n) element.push_back(index(loop, axes[n], n));
    InstId total = InstId::None;
    for (const auto& [distance, list] : sums.by_distance) {
      std::vector<InstId> iteration;
      for (uint32_t n = 0; n < axes_; ++n) iteration.push_back(plus(element[n], -distance[n]));
      std::unordered_map<InstId, InstId> copies;
      for (InstId id : list) {
        const InstId value = copy(kernel_.operands_of(id)[1], iteration, copies);
        total = total == InstId::None ? value : build_.binary(BinaryOp::Add, total, value);
      }
    }
    add(sums, list_of(sums), element, total);
  }
  InstId list_of(const Sums& sums) const { return sums.by_distance.begin()->second.front(); }

  /// Adds to the element of the array with these indices on the axes of the loop.
  void add(const Sums& sums, InstId like, const std::vector<InstId>& element, InstId value) {
    std::vector<InstId> indices;
    for (const Index& index : sums.indices) {
      indices.push_back(index.axis ? element[*index.axis] : outside(index.value));
    }
    const InstId place = build_.like(kernel_[kernel_.operands_of(like)[0]], indices);
    build_.atomic(ir::AtomicOp::Add, place, value);
  }
  InstId outside(InstId value) {
    return inside_.contains(value) ? build_.like(kernel_[value], {}) : value;  // a constant of the loop
  }

  /// The elements near the bounds of the loop. The iterations that add to them are near a bound on some axis: a loop
  /// for each axis has those for which it is the first one, so that none of them is in two loops, and all are parallel.
  ///
  ///     first and last rows:  XXXXX     first and last columns
  ///                           Y   Y     of the rows between them
  ///                           XXXXX
  void scatter(const Sums& sums, const std::vector<Axis>& axes) {
    for (uint32_t first = 0; first < axes_; ++first) {
      if (axes[first].width != 0) scatter(sums, axes, first);
    }
  }
  void scatter(const Sums& sums, const std::vector<Axis>& axes, uint32_t first) {
    const InstId length = build_.binary(BinaryOp::Sub, axes[first].end, axes[first].begin);
    const InstId ends = build_.binary(BinaryOp::Min, length, constant(axes[first], 2 * axes[first].width));
    std::vector<InstId> bounds;
    for (uint32_t n = 0; n < axes_; ++n) {
      const Axis& axis = axes[n];
      if (n < first) bounds.insert(bounds.end(), {plus(axis.begin, axis.width), plus(axis.end, -axis.width)});
      if (n == first) bounds.insert(bounds.end(), {constant(axis, 0), ends});
      if (n > first) bounds.insert(bounds.end(), {axis.begin, axis.end});
    }
    BlockId inside;
    const InstId loop = new_loop(bounds, inside);
    ir::Builder::Scope scope(build_, inside);
    std::vector<InstId> iteration;
    for (uint32_t n = 0; n < axes_; ++n) {
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
      for (uint32_t n = 0; n < axes_; ++n) {
        element.push_back(plus(iteration[n], distance[n]));
        near = build_.binary(BinaryOp::BitOr, near, build_.compare(CompareOp::Lt, element[n], axes[n].from));
        near = build_.binary(BinaryOp::BitOr, near, build_.compare(CompareOp::Ge, element[n], axes[n].to));
      }
      InstId total = InstId::None;
      for (InstId id : list) {
        const InstId value = copy(kernel_.operands_of(id)[1], iteration, copies);
        total = total == InstId::None ? value : build_.binary(BinaryOp::Add, total, value);
      }
      const InstId branch = build_.inst(Op::If, Type::Void, {near});
      const BlockId yes = kernel_.add_block(), no = kernel_.add_block();
      kernel_[branch].blocks = {yes, no};
      ir::Builder::Scope scope(build_, yes);
      add(sums, list.front(), element, total);
    }
  }

  /// Copies a value of the loop with other indices.
  InstId copy(InstId id, const std::vector<InstId>& iteration, std::unordered_map<InstId, InstId>& copies) {
    if (!inside_.contains(id)) return id;
    if (const auto found = copies.find(id); found != copies.end()) return found->second;
    const Inst inst = kernel_[id];
    if (inst.op == Op::LoopIndex) return copies[id] = iteration[inst.axis()];
    std::vector<InstId> args;
    for (InstId operand : operands(id)) args.push_back(copy(operand, iteration, copies));
    return copies[id] = build_.like(inst, args);
  }

  ir::Kernel& kernel_;
  ir::Builder build_;
  InstId loop_ = InstId::None;
  BlockId body_ = BlockId::None;
  uint32_t axes_ = 0;
  std::set<InstId> inside_;  // the instructions of the loop
};

}  // namespace

void gather_sums(ir::Kernel& kernel) { Gatherer(kernel).run(); }

}  // namespace qd::autodiff
