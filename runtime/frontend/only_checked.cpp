// Asserts without debug mode: lowered for their errors alone, so that a kernel that compiles does so in debug mode too.
#include "runtime/frontend/lowering.h"
#include "runtime/syntax/tree_walk.h"

namespace qd::frontend {

namespace {

/// The sizes of a kernel's tables: what came after can be taken off again.
struct Sizes {
  explicit Sizes(const ir::Kernel& k)
      : params(k.params.size()),
        arrays(k.arrays.size()),
        functions(k.functions.size()),
        locations(k.locations.size()),
        loops(k.loops.size()),
        formats(k.formats.size()),
        probes(k.probes.size()),
        decisions(k.decisions.size()),
        routines(k.routines.size()),
        insts(k.insts.size()),
        operands(k.operands.size()),
        blocks(k.blocks.size()) {}

  void restore(ir::Kernel& k) const {
    cut(k.params, params), cut(k.arrays, arrays), cut(k.functions, functions), cut(k.locations, locations),
        cut(k.loops, loops), cut(k.formats, formats);
    cut(k.probes, probes), cut(k.decisions, decisions), cut(k.routines, routines), cut(k.insts, insts),
        cut(k.operands, operands), cut(k.blocks, blocks);
  }

  size_t params, arrays, functions, locations, loops, formats, probes, decisions, routines, insts, operands, blocks;

 private:
  template <class Table>
  static void cut(Table& table, size_t size) {
    table.erase(table.begin() + static_cast<ptrdiff_t>(size), table.end());
  }
};

/// Forgets rows that are gone.
template <class Index>
void cut(Index& index, size_t size) {
  std::erase_if(index, [&](const auto& entry) { return entry.second >= size; });
}

bool has_walrus(const syntax::Expr& expr) {
  bool found = false;
  syntax::walk_expression(expr, [&](const syntax::Expr& part) {
    found |= std::holds_alternative<syntax::NamedExpr>(part.node);
    return !found;
  });
  return found;
}

}  // namespace

void Lowering::only_check(const syntax::Assert& s) {
  // A walrus binds a name to code that would be gone.
  if (has_walrus(*s.test) || (s.msg && has_walrus(*s.msg))) return;
  const Sizes before(kernel_);
  TemplateReads reads = reads_.rows();
  const auto loop_info = loop_info_;
  const auto probed = probed_;
  const int inlined = inlined_;
  ir::BlockId block;
  in_new_block(block, [&] {
    test(*s.test);
    Text text;
    if (s.msg) add_expr(text, *s.msg);
  });
  before.restore(kernel_);
  reads_.rows() = std::move(reads);
  loop_info_ = loop_info;
  probed_ = probed;
  inlined_ = inlined;
  cut(locations_, before.locations);
  cut(probes_, before.probes);
  cut(decision_rows_, before.decisions);
  cut(fields_, before.arrays);
  cut(routines_, before.routines);
  routine_states_.resize(before.routines);
}

}  // namespace qd::frontend
