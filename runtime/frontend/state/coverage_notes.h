// Notes for coverage in a kernel, beside its code, which is the same without them: probes on lines and branch edges,
// values of conditions, decisions.
#pragma once

#include <functional>
#include <map>
#include <tuple>

#include "runtime/frontend/state/kernel_builder.h"

namespace qd::frontend {

class CoverageNotes {
 public:
  CoverageNotes(const Options& options, FunctionStack& functions, KernelBuilder& build)
      : options_(options), functions_(functions), build_(build) {}

  // Probes: places for which coverage.py records a line or a branch edge.
  /// `from`, `to`: lines; the negative first line of the function is its entry or exit.
  void probe(int32_t from, int32_t to);
  void statement_probe(const syntax::Stmt& stmt);
  /// Marks the edge from a header into a suite, or to `next` when there is none. A suite on the header's own line is no
  /// line of its own: there the edge goes to the successor of the suite, and the suite or the jump in it marks it.
  void edge(const syntax::Stmt& header, syntax::List<syntax::StmtPtr> statements, int32_t next);
  /// The line that control goes to behind statement `i` of a list; `next` behind the last.
  int32_t next_line(syntax::List<syntax::StmtPtr> statements, size_t i, int32_t next);

  /// Sets the variant of the present func, in words (functions/func_variant.cpp). Reports tell the func's calls apart
  /// by it. Empty: all calls are alike.
  void variant(const std::string& text);
  /// Whether the kernel gets probes.
  bool wants_probes() const { return options_.wants(ir::Instrument::Arcs); }

  // Decisions.
  /// The decisions of a function; null when they are not wanted. `at_compile_time`: whether an expression is a call
  /// that is evaluated there.
  const Decided* decided_in(const FunctionSource& source,
                            const std::function<bool(const syntax::Expr&)>& at_compile_time);
  /// Notes the value of an expression, or of a link of a chained comparison, if that is a condition.
  void note_condition(const syntax::Expr& expr, uint32_t link, const Item& item);
  /// Notes that an expression has been evaluated, and its value if it is a condition. The links of a chain have been
  /// noted by then.
  void note_value(const syntax::Expr& expr, const Item& item);

  /// Forgets the rows that begin at these sizes of Kernel::probes and Kernel::decisions.
  void forget(size_t probes, size_t decisions);

 private:
  FunctionState& function() { return functions_.back(); }
  /// Whether the code that is lowered now is code of the program, and can be reached.
  bool counted() { return function().covered && !function().library_call; }
  uint32_t decision_row(const syntax::Decision& decision);

  const Options& options_;
  FunctionStack& functions_;
  KernelBuilder& build_;
  std::map<std::tuple<uint32_t, int32_t, int32_t, uint32_t>, uint32_t> probes_;  // into Kernel::probes
  std::map<const syntax::Stmt*, Decided> decided_;                               // by function
  std::map<const syntax::Decision*, uint32_t> decision_rows_;                    // into Kernel::decisions
};

}  // namespace qd::frontend
