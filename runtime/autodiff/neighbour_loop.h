// A parallel loop that adds to neighbours: to elements at constant distances from its own index.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// An index of an element: `axis` of the loop plus a distance; or a value from outside of the loop, or a constant.
struct Index {
  std::optional<uint32_t> axis;
  int64_t distance = 0;
  ir::InstId value = ir::InstId::None;
};

/// The additions of a loop to an array, by their distances on each axis of the loop.
struct Sums {
  std::vector<Index> indices;  // of the first; the others differ in distances alone
  std::map<std::vector<int64_t>, std::vector<ir::InstId>> by_distance;
};

class NeighbourLoop {
 public:
  /// `loop`: a parallel For.
  NeighbourLoop(ir::Kernel& kernel, ir::InstId loop);

  /// The arrays to which the loop does nothing else, and where the added numbers can be computed in another iteration,
  /// before the loop: from arrays that the loop does not write, or writes later in the iteration's own element.
  std::map<uint32_t, Sums> find_sums() const;

  ir::InstId loop() const { return loop_; }
  ir::BlockId body() const { return body_; }
  uint32_t axes() const { return axes_; }
  /// Begin and end of each axis.
  std::vector<ir::InstId> bounds() const;

  /// Adds to `slice` the instructions of the loop of which a value is computed.
  void collect(ir::InstId value, std::set<ir::InstId>& slice) const;
  /// Copies a value of the loop with other indices. `copies`: made before, for the same indices.
  ir::InstId copy(ir::Builder& build, ir::InstId value, const std::vector<ir::InstId>& iteration,
                  std::unordered_map<ir::InstId, ir::InstId>& copies) const;
  /// The element with these indices on the axes of the loop.
  ir::InstId place(ir::Builder& build, const Sums& sums, const std::vector<ir::InstId>& element) const;

 private:
  std::vector<ir::InstId> operands(ir::InstId id) const;
  void visit(ir::InstId id, const std::set<ir::InstId>& used, std::map<uint32_t, Sums>& found,
             std::set<uint32_t>& spoiled) const;
  bool same_outside(ir::InstId a, ir::InstId b) const;
  std::optional<std::vector<Index>> indices_of(ir::InstId place) const;
  Index index_of(ir::InstId id) const;
  bool is_pure(const Sums& sums) const;
  bool is_pure(ir::InstId id, std::set<ir::InstId>& seen) const;
  bool is_unchanged(ir::InstId load) const;
  bool is_own(ir::InstId place) const;
  bool same_place(ir::InstId a, ir::InstId b) const;

  ir::Kernel& kernel_;
  ir::InstId loop_;
  ir::BlockId body_;
  uint32_t axes_;
  std::set<ir::InstId> inside_;  // the instructions of the loop
};

/// `a + n`.
ir::InstId plus(ir::Kernel& kernel, ir::Builder& build, ir::InstId a, int64_t n);

}  // namespace qd::autodiff
