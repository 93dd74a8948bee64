// Race detection between sections in debug mode.
//
//   with qd.stream_parallel():                 claim x[i], write; assert that no other has
//       for i in range(8): x[i] = 1      ->    x[i] = 1
//   with qd.stream_parallel():                 claim x[j], read; assert
//       for j in range(7, 9): y[j] = x[j]      ... = x[j]
//
// Only accesses are claimed that another section could disturb: y is no such array here. Parameters of one type may be
// the same memory, so they count as one array.
#include "runtime/frontend/statements/section_conflicts.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/walk.h"

namespace qd::frontend {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

/// Kinds of access to arrays by one section, or by routines that it calls.
using Accesses = std::set<std::pair<uint32_t, ir::Access>>;

class Claimer {
 public:
  explicit Claimer(ir::Kernel& kernel) : kernel_(kernel) {}

  void run() {
    std::map<uint64_t, std::vector<Accesses>> groups;
    std::vector<BlockId> bodies;
    ir::walk(kernel_, kernel_.body, [&](InstId id) {
      const ir::Inst& inst = kernel_[id];
      if (inst.op != Op::Region || inst.group() == 0) return;
      bodies.push_back(inst.blocks[0]);
      called_.clear();
      collect(inst.blocks[0], groups[inst.group()].emplace_back());
      routines_.insert(called_.begin(), called_.end());
    });
    for (const auto& [group, sections] : groups) find_disputed(sections);
    if (disputed_.empty()) return;
    for (BlockId body : bodies) claim(body);
    for (uint32_t routine : routines_) claim(kernel_.routines[routine].body);
  }

 private:
  void collect(BlockId block, Accesses& accesses) {
    ir::walk(kernel_, block, [&](InstId id) {
      const ir::Inst& inst = kernel_[id];
      if (inst.op == Op::Call && called_.insert(inst.aux).second) collect(kernel_.routines[inst.aux].body, accesses);
      const auto access = access_of(inst.op);
      if (!access) return;
      const ir::Inst& place = kernel_[kernel_.operands_of(inst)[0]];
      if (place.op == Op::ElementPtr) accesses.insert({place.aux, *access});
    });
  }

  bool may_be_same(uint32_t a, uint32_t b) const {
    const ir::Array& x = kernel_.arrays[a];
    const ir::Array& y = kernel_.arrays[b];
    const auto parameter = ir::Array::Kind::Parameter;
    return a == b || (x.kind == parameter && y.kind == parameter && x.type == y.type);
  }

  void find_disputed(const std::vector<Accesses>& sections) {
    for (const Accesses& mine : sections) {
      for (const Accesses& theirs : sections) {
        if (&mine == &theirs) continue;
        for (const auto& [array, access] : mine) {
          for (const auto& [other, other_access] : theirs) {
            if (!go_together(access, other_access) && may_be_same(array, other)) disputed_.insert({array, access});
          }
        }
      }
    }
  }

  void claim(BlockId block) {
    if (block == BlockId::None) return;
    std::vector<InstId> out;
    for (InstId id : std::vector(kernel_[block])) {
      for (BlockId inner : std::array(kernel_[id].blocks)) claim(inner);
      if (const auto access = access_of(kernel_[id].op)) {
        const InstId pointer = kernel_.operands_of(id)[0];
        const bool element = kernel_[pointer].op == Op::ElementPtr;
        if (element && disputed_.contains({kernel_[pointer].aux, *access})) claim_element(id, pointer, *access, out);
      }
      out.push_back(id);
    }
    kernel_[block] = std::move(out);
  }

  /// Adds a Claim, and an Assert with a text as "x[3, 1] is written here, ...".
  void claim_element(InstId inst, InstId pointer, ir::Access access, std::vector<InstId>& out) {
    ir::Builder build(kernel_, out, kernel_[inst].location);
    const ir::Array array = kernel_.arrays[kernel_[pointer].aux];
    const auto format = static_cast<uint32_t>(kernel_.formats.size());
    const InstId other = build.inst(Op::Claim, Type::I32, {pointer}, format, static_cast<uint64_t>(access));
    std::vector<InstId> operands{build.compare(ir::CompareOp::Eq, other, build.constant(Type::I32, 0))};
    const auto indices = kernel_.operands_of(pointer).first(static_cast<size_t>(array.rank));
    operands.insert(operands.end(), indices.begin(), indices.end());
    ir::Format text;
    text.kind = ir::Format::Kind::Claim;
    std::string piece = (array.name.empty() ? "A field's element " : array.name) + (indices.empty() ? "[None" : "[");
    for (InstId index : indices) {
      text.pieces.push_back(std::exchange(piece, ", "));
      text.specs.emplace_back();
      text.types.push_back(kernel_[index].type);
    }
    if (!indices.empty()) piece.clear();
    text.pieces.push_back(piece + fmt::format("] is {} here, and another block uses it, too: the blocks run side by "
                                              "side, in any order",
                                              access == ir::Access::Read    ? "read"
                                              : access == ir::Access::Write ? "written"
                                                                            : "changed"));
    text.pieces.emplace_back();
    text.specs.emplace_back();
    text.types.push_back(Type::I32);
    operands.push_back(other);
    kernel_.formats.push_back(std::move(text));
    build.inst(Op::Assert, Type::Void, operands, format);
  }

  ir::Kernel& kernel_;
  std::set<uint32_t> called_;    // routines, of the section
  std::set<uint32_t> routines_;  // of all sections
  Accesses disputed_;            // accesses that conflict with one of another section
};

}  // namespace

void claim_elements(Compilation& c) {
  if (c.options.debug) Claimer(c.kernel).run();
}

}  // namespace qd::frontend
