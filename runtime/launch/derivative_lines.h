// Lines that a derivative passes through, of a kernel that is compiled as it is written.
#pragma once

#include "runtime/frontend/interface/template_reads.h"
#include "runtime/ir/kernel.h"
#include "runtime/launch/arguments.h"
#include "runtime/launch/program_state.h"

namespace qd {

/// Adds to a kernel as it is written the derivative probes that its variants for other modes have, as rows that no
/// instruction names (ir/derivative_probe.h). The arrays decide: those of arguments, of fields and in templates that
/// have a gradient or a dual. Lines whose derivative no mode can compute are left out, with all of a kernel that
/// autodiff refuses. `key`: with the gradients of the arguments.
void add_derivative_lines(ir::Kernel& primal, const VariantKey& key, const frontend::TemplateReads& reads,
                          Program::State& program);

}  // namespace qd
