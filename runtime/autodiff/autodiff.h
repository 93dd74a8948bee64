// Automatic differentiation of kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ir/autodiff_mode.h"
#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// Thrown for an operation that has no derivative, but an operand that depends on differentiated arrays.
struct NoDerivative {
  ir::InstId inst;                                                                             // None: the whole kernel
  std::string reason = "has no derivative: qd.stop_grad(x) takes its operand for a constant";  // behind its description
};

struct Options {
  bool probes = false;  // adds derivative probes (ir/derivative_probe.h), which change nothing else
  bool tiles = false;   // few threads run many iterations each: see tiles.h
};

/// An array that a mode adds for another one, of the same shape, with old numbers of its elements.
struct ElementRecord {
  uint32_t array;  // into Kernel::arrays, as the next one
  uint32_t record;
  uint32_t number;  // the same for a kernel that records it and for its gradient
};

/// Changes a kernel of the front end into its derivative for a mode; the primal stays as it is. Returns the record that
/// the mode writes or reads.
///
/// Forward: beside each number the kernel computes its dual, the derivative in the direction that the duals of arrays
/// give. An array without a dual is constant. Control flow, integers and what the kernel prints are those of the
/// primal.
///
/// Throws NoDerivative.
std::vector<ElementRecord> differentiate(ir::Kernel& kernel, ir::AutodiffMode mode, Options options = {});

/// Text of an instruction for people, in a message of NoDerivative: "a BitCast", ....
std::string description(const ir::Kernel& kernel, ir::InstId inst);

}  // namespace qd::autodiff
