// Counter sharing: one counter for the copies of the same source.
//
// A func that is called at three places is inlined three times, and so are the iterations of an unrolled loop. Each
// copy has the arcs of the one source, and counters of its own:
//
//   copy 1   arc 7 -> 8: a      arc 7 -> 9: n - a
//   copy 2   arc 7 -> 8: b      arc 7 -> 9: n - b
//
// A report asks only whether an arc of the source was taken, so its copies are added up first. Each count is at least
// 0, so the sum is positive if one of them is.
//
//   arc 7 -> 8: a + b           arc 7 -> 9: 2n - a - b
//
// Written as a table with a row an arc and a column a counter, the columns of a and b are now the same: +1 in the first
// row, -1 in the second. No arc can tell them apart any more, so all Counts of b add to a, and b is gone. A kernel with
// nine unrolled copies keeps one counter of nine.
//
// Calls of a func for other types or templates are other variants of it, whose arcs stay apart (func_variants.cpp).
//
// Only counters of one task are joined, and no more than kMostPlaces of them.
#include "instrument/lower_probes.h"

#include <map>
#include <tuple>
#include <utility>

namespace qd::instrument {

namespace {

using ir::BlockId;
using ir::InstId;
using ir::Kernel;
using ir::Op;

/// Largest number of places that share a counter. More could wrap in the code's 32-bit sums; then the code would have
/// to add in 64 bits.
constexpr size_t kMostPlaces = 64;

/// Makes the instances of an arc one arc, whose count is the sum of theirs. Each is at least 0, so the sum is positive
/// if one of them is.
void join_instances(CoverageMap& map) {
  std::map<std::tuple<uint32_t, uint32_t, int32_t, int32_t>, size_t> places;
  std::vector<MappedArc> joined;
  for (MappedArc& arc : map.arcs) {
    auto [place, is_new] = places.try_emplace({arc.function, arc.variant, arc.from, arc.to}, joined.size());
    if (is_new) {
      joined.push_back(std::move(arc));
    } else {
      joined[place->second].count = joined[place->second].count + arc.count;
    }
  }
  map.arcs = std::move(joined);
}

class Sharing {
 public:
  Sharing(Kernel& kernel, CoverageMap& map)
      : kernel_(kernel), map_(map), columns_(kernel.counters), representative_(kernel.counters) {}

  void run() {
    for (uint32_t i = 0; i < kernel_.counters; ++i) representative_[i] = i;
    for (size_t arc = 0; arc < map_.arcs.size(); ++arc) {
      for (const CounterSum::Term& term : map_.arcs[arc].count.terms())
        columns_[term.counter].push_back({arc, term.factor});
    }
    for (const ir::Task& task : kernel_.tasks) {
      alike_.clear();
      walk(task.body);
    }
    for (ir::Inst& inst : kernel_.insts) {
      if (inst.op == Op::Count) inst.aux = representative_[inst.aux];
    }
    for (MappedArc& arc : map_.arcs)
      arc.count = arc.count.only([&](uint32_t counter) { return representative_[counter] == counter; });
  }

 private:
  using Column = std::vector<std::pair<size_t, int64_t>>;
  struct Group {
    uint32_t counter = 0;
    size_t places = kMostPlaces;  // number of places of `counter`; full at first, so that the next Count begins anew
  };

  /// A count in a loop whose length is not known is not shared: its 32-bit sum does not overflow only because each
  /// iteration adds one at most.
  void walk(BlockId block) {
    if (block == BlockId::None) return;
    for (InstId id : kernel_[block]) {
      const ir::Inst& inst = kernel_[id];
      if (inst.op == Op::Count && !columns_[inst.aux].empty()) {
        Group& group = alike_[columns_[inst.aux]];
        if (group.places == kMostPlaces) group = {inst.aux, 0};
        ++group.places;
        representative_[inst.aux] = group.counter;
      }
      if (inst.op == Op::For) continue;
      for (BlockId inner : inst.blocks) walk(inner);
    }
  }

  Kernel& kernel_;
  CoverageMap& map_;
  std::vector<Column> columns_;
  std::vector<uint32_t> representative_;
  std::map<Column, Group> alike_;  // the counters of one task
};

}  // namespace

void share_counters(Kernel& kernel, CoverageMap& map) {
  join_instances(map);
  Sharing(kernel, map).run();
}

}  // namespace qd::instrument
