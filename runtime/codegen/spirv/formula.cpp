#include "runtime/codegen/spirv/shared.h"

#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {
namespace {

/// Emits a formula as a function. It is never approximated.
Id emit_formula(Shared& shared, const ir::Kernel& formula) {
  const ir::Routine& routine = formula.routines[0];
  FunctionEmitter emitter(shared, formula, routine.results, routine.params, Arithmetic::Mode::Formula);
  return emitter.emit_routine(0);
}

}  // namespace

Id mathematical_function(Shared& shared, mathematics::Function function, ir::Type type) {
  const std::pair key(function, type);
  if (!shared.mathematics.contains(key)) {
    const Id id = emit_formula(shared, mathematics::formula(function, type));
    shared.mathematics[key] = id;
  }
  return shared.mathematics[key];
}

Id software_function(Shared& shared, Software function, ir::Type type) {
  const std::pair key(function, type);
  if (!shared.software.contains(key)) {
    const Id id = emit_formula(shared, software::formula(function, type));
    shared.software[key] = id;
  }
  return shared.software[key];
}

}  // namespace qd::codegen::spirv
