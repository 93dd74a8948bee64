// Trial lowering: for the errors alone, without code.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Takes back, when it ends, all that was lowered since it began: rows of the kernel, indices of them, and the state of
/// the present function. Errors and warnings stay. The code goes into a block of its own, and binds no names.
class Trial {
 public:
  explicit Trial(Compilation& c)
      : c_(c),
        inside_(c.build),
        mark_(c.build.mark()),
        reads_(c.captures.reads.rows()),
        objects_(c.objects),
        function_(c.function()),
        inlined_(c.inlined) {
    c.build.set_block(c.kernel.add_block());
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial() {
    c_.build.rewind(mark_);
    c_.captures.reads.rows() = std::move(reads_);
    c_.captures.forget_fields(mark_.arrays);
    c_.notes.forget(mark_.probes, mark_.decisions);
    c_.routines.forget(mark_.routines);
    c_.objects = std::move(objects_);
    c_.function() = std::move(function_);
    c_.inlined = inlined_;
  }

 private:
  Compilation& c_;
  ir::Builder::Scope inside_;
  KernelBuilder::Mark mark_;
  TemplateReads reads_;
  MadeObjects objects_;
  FunctionState function_;
  int inlined_;
};

}  // namespace qd::frontend
