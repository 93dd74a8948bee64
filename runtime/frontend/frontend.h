// Front end of the kernel compiler: lowers the syntax tree of a kernel, with its environment and its argument types, to
// kernel IR.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/frontend/constants/errors.h"
#include "runtime/frontend/constants/options.h"
#include "runtime/frontend/constants/value.h"
#include "runtime/frontend/interface/module_environment.h"
#include "runtime/frontend/interface/signature.h"
#include "runtime/frontend/interface/template_reads.h"
#include "runtime/ir/kernel.h"

namespace qd::frontend {

/// Compiles one instance of a kernel. Scalars become Kernel::params, arrays Kernel::arrays, both in the order of the
/// parameters; fields follow in the order of first use. `warnings` gets each warning once, `reads` the kernel's reads
/// of its templates: arrays and numbers of those follow the parameters'. Throws KernelCompilationError with all errors
/// of the kernel.
ir::Kernel lower(const FunctionSource& source, Environment& environment, std::span<const ArgumentType> arguments,
                 const Options& options, std::vector<Warning>* warnings, TemplateReads* reads = nullptr);

/// Finds a module-level function by name, or any function by name and first line, that of its first decorator. Nothing
/// when there is none.
std::optional<FunctionSource> find_function(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                            std::string_view name);
std::optional<FunctionSource> find_function_at(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                               std::string_view name, int32_t first_line);

/// Finds the lambda that begins at a place, as a function that returns its body.
std::optional<FunctionSource> find_lambda_at(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                             int32_t line, int32_t column);

/// Whether a decorator of a function has the keyword argument `name=True`.
bool decorated_with(const FunctionSource& source, std::string_view name);

}  // namespace qd::frontend
