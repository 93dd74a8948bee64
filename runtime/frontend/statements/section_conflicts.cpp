// Conflicts between sections: blocks that run side by side and use the same elements.
//
// Each access of a section is a box: for each axis of its array, the range of indices that it reaches. An access with
// an index that is neither a constant nor a loop's is left out, and so is one under an `if`: two blocks may well use
// different elements of an array. Two boxes of one array that certainly share an element, and of which one is written,
// are a conflict.
#include "runtime/frontend/statements/section_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "runtime/ir/walk.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;

namespace {

/// A bound of a range: a number, or a length that is known at run time.
struct IndexBound {
  std::optional<int64_t> number;
  std::pair<uint32_t, uint64_t> length{};  // array and axis, of a Shape
  bool operator==(const IndexBound&) const = default;
};
/// Range of indices, [begin, end).
struct IndexRange {
  IndexBound begin, end;
};

struct BoxAccess {
  ir::Access access = ir::Access::Read;
  uint32_t array = 0;
  std::vector<IndexRange> box;
  uint32_t location = 0;
};

std::optional<IndexBound> bound_of(const ir::Kernel& kernel, InstId id) {
  const ir::Inst& inst = kernel[id];
  if (inst.op == Op::Const && ir::is_integer(inst.type)) return IndexBound{inst.integer()};
  if (inst.op == Op::Shape) return IndexBound{std::nullopt, {inst.aux, inst.axis()}};
  return std::nullopt;
}

std::optional<IndexRange> range_of(const ir::Kernel& kernel, InstId id) {
  const ir::Inst& inst = kernel[id];
  if (inst.op == Op::Cast && ir::is_integer(kernel[kernel.operands_of(inst)[0]].type))
    return range_of(kernel, kernel.operands_of(inst)[0]);
  if (inst.op == Op::Const && ir::is_integer(inst.type))
    return IndexRange{IndexBound{inst.integer()}, IndexBound{inst.integer() + 1}};
  if (inst.op != Op::LoopIndex) return std::nullopt;
  const auto bounds = kernel.operands_of(inst.aux_inst());
  const auto begin = bound_of(kernel, bounds[2 * inst.axis()]);
  const auto end = bound_of(kernel, bounds[2 * inst.axis() + 1]);
  return begin && end ? std::optional(IndexRange{*begin, *end}) : std::nullopt;
}

/// Whether two ranges certainly share an index, if neither is empty.
bool meet(const IndexRange& a, const IndexRange& b) {
  auto before = [](const IndexBound& begin, const IndexBound& end) {
    return begin.number && end.number && *begin.number < *end.number;
  };
  if (a.begin == b.begin)
    return (a.begin.number && a.end == b.end) || (before(a.begin, a.end) && before(b.begin, b.end));
  return before(a.begin, b.end) && before(b.begin, a.end);
}

bool meet(const BoxAccess& a, const BoxAccess& b) {
  return a.array == b.array && !go_together(a.access, b.access) &&
         std::ranges::equal(a.box, b.box, [](const IndexRange& x, const IndexRange& y) { return meet(x, y); });
}

void add_accesses(const ir::Kernel& kernel, ir::BlockId block, std::vector<BoxAccess>& accesses) {
  if (block == ir::BlockId::None) return;
  for (InstId id : kernel[block]) {
    const ir::Inst& inst = kernel[id];
    if (inst.op != Op::If) {
      for (ir::BlockId inner : std::array(inst.blocks)) add_accesses(kernel, inner, accesses);
    }
    const auto how = access_of(inst.op);
    if (!how) continue;
    const ir::Inst& place = kernel[kernel.operands_of(inst)[0]];
    if (place.op != Op::ElementPtr) continue;
    BoxAccess access{*how, place.aux, {}, inst.location};
    for (InstId index : kernel.operands_of(place)) {
      const auto range = range_of(kernel, index);
      if (!range) break;
      access.box.push_back(*range);
    }
    if (access.box.size() == kernel.operands_of(place).size()) accesses.push_back(std::move(access));
  }
}

}  // namespace

void warn_of_section_conflicts(Compilation& c) {
  const ir::Kernel& kernel = c.kernel;
  std::map<uint64_t, std::vector<std::vector<BoxAccess>>> groups;
  ir::walk(kernel, kernel.body, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    if (inst.op == Op::Region && inst.group() != 0)
      add_accesses(kernel, inst.blocks[0], groups[inst.group()].emplace_back());
  });
  std::set<uint32_t> told;  // arrays
  for (const auto& [group, sections] : groups) {
    for (size_t later = 1; later < sections.size(); ++later) {
      for (size_t earlier = 0; earlier < later; ++earlier) {
        for (const BoxAccess& a : sections[earlier]) {
          const auto b = std::ranges::find_if(sections[later], [&](const BoxAccess& other) { return meet(a, other); });
          if (b == sections[later].end() || !told.insert(a.array).second) continue;
          const bool write = b->access != ir::Access::Read;
          c.report.warn_at(
              kernel, b->location,
              fmt::format("{} is {} here, and {} in line {} in another block: the blocks run side by side, in "
                          "any order",
                          kernel.arrays[a.array].name.empty()
                              ? "an element of a field"
                              : fmt::format("an element of `{}`", kernel.arrays[a.array].name),
                          write ? "written" : "read", a.access == ir::Access::Read ? "read" : "written",
                          kernel.locations[a.location].line));
        }
      }
    }
  }
}

}  // namespace qd::frontend
