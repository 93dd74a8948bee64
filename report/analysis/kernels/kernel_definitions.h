// Definitions of kernels and funcs in a source, found by their decorators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/syntax/parse.h"

namespace qd::report {

/// A function with a decorator of the kernel language; in function_definitions(), any function.
struct KernelDefinition {
  std::string name;        // qualified: "Solver.step", "make_kernel.inner"
  bool is_kernel = false;  // else a func
  bool decorated = true;   // false: neither, by its decorators
  bool is_called = false;  // a kernel of another producer, such as Numba: the host calls it, and does not launch it
  int32_t first_line = 0;  // first decorator, Python's co_firstlineno: its arcs begin at -first_line
  int32_t def_line = 0;    // of the word `def`
  int32_t body_line = 0;   // of its first statement; a docstring is one
  int32_t last_line = 0;
  const syntax::Stmt* def = nullptr;  // lives as long as the module
  bool operator==(const KernelDefinition&) const = default;
};

/// Returns every kernel and func of a module, nested ones too, in the order of their first lines. The language's
/// decorators are known under any name that an import or an assignment of the module gives to them or to their package;
/// a decorator that another module renames is not.
std::vector<KernelDefinition> kernel_definitions(const syntax::Module& module);

/// Returns every function of a module, in the same order.
std::vector<KernelDefinition> function_definitions(const syntax::Module& module);

}  // namespace qd::report
