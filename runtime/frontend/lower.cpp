// Entry of the front end: binds a kernel's parameters, lowers its body, and throws its errors together, when all have
// been found.

#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/frontend.h"
#include "runtime/frontend/functions/function_start.h"
#include "runtime/frontend/functions/routines.h"
#include "runtime/frontend/statements/section_conflicts.h"
#include "runtime/frontend/statements/statements.h"

namespace qd::frontend {
namespace {

void lower_kernel(Compilation& c, const FunctionSource& source, Environment& environment,
                  std::span<const ArgumentType> arguments) {
  const syntax::FunctionDef& def = source.function();
  c.kernel.name = def.name;
  Signature signature = frontend::signature(source, environment, c.options);
  c.kernel.results = signature.results;
  c.result = std::move(signature.result);
  c.kernel.body = c.kernel.add_block();
  c.build.set_block(c.kernel.body);
  FunctionState& kernel = c.functions.enter_kernel();
  begin_function(c, source, environment, kernel);
  c.build.set_location(c.build.location_of(source.def->range));
  if (c.options.graph && !c.kernel.results.empty())
    c.report.error(ErrorKind::Syntax, source.function().returns->range,
                   "a kernel with graph=True returns nothing: write what it finds into an ndarray");
  for (const Parameter& leaf : signature.parameters) c.captures.leaf_names.push_back(leaf.name);
  bind_parameters(c, signature, arguments);
  try {
    lower_suite(c, without_docstring(def.body), *source.def, -kernel.first_line);
  } catch (const TooLarge&) {
    c.report.throw_if_any();
  }
  if (!c.kernel.results.empty() && !kernel.returned) {
    Range header{source.def->range.line, source.def->range.col, source.def->range.line, source.def->range.col + 3};
    c.report.error(ErrorKind::Syntax, header, "Kernel has a return type but does not have a return statement");
  }
  c.report.throw_if_any();
  guard_recursion(c);
  warn_of_section_conflicts(c);
  claim_elements(c);
}

}  // namespace

ir::Kernel lower(const FunctionSource& source, Environment& environment, std::span<const ArgumentType> arguments,
                 const Options& options, std::vector<Warning>* warnings, TemplateReads* reads) {
  Compilation c(options, warnings);
  lower_kernel(c, source, environment, arguments);
  if (reads) *reads = std::move(c.captures.reads.rows());
  ir::require_valid(c.kernel, "lower");
  return std::move(c.kernel);
}

}  // namespace qd::frontend
