// The options of one compilation.
#pragma once

#include "runtime/ir/autodiff_mode.h"
#include "runtime/ir/instruments.h"
#include "runtime/ir/type.h"

namespace qd::frontend {

struct Options {
#define QD_FRONT_END_OPTION(type, name, value, ...) type name = value;
#include "runtime/options/options.def"
  ir::Instruments instruments = 0;  // the kernel gets their operations: probes on every line and branch edge, notes of
                                    // every decision (syntax/decisions.h)
  bool pure = false;                // only definitions and constants may be captured (fastcache=True)
  bool graph = false;               // @qd.kernel(graph=True)
  bool checkpoints = false;         // @qd.kernel(checkpoints=True)
  int subgroup_size = 32;           // of the device; a power of two
  ir::AutodiffMode mode = ir::AutodiffMode::Primal;  // the kernel gets the arrays that the mode needs

  bool wants(ir::Instrument instrument) const { return ir::has(instruments, instrument); }
};

}  // namespace qd::frontend
