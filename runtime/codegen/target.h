// What a back end of code generation is: kernels in, code for one kind of device out.
#pragma once

#include <string>
#include <vector>

#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd::codegen {

struct Options {
#define QD_CODE_OPTION(type, name, value, ...) type name = value;
#include "runtime/options/options.def"
  bool assembly = false;  // fill Binary::assembly
};

/// Code of all tasks of a kernel, in a form that a device of the same target loads in this or another process: no
/// address, no pointer.
struct Binary {
  std::string code;
  std::vector<std::string> symbols;  // the name of each task's function in `code`
  std::string assembly;              // for people
};

/// Thread-safe. Lives as long as the process.
class Target {
 public:
  virtual ~Target() = default;
  /// The compiler: what it is, which version, which build. Part of every key of a cache.
  virtual const std::string& compiler() const = 0;
  /// What the code is for, such as the processor and its features. Part of every key of a code cache.
  virtual const std::string& processor() const = 0;
  /// What the passes do for it.
  virtual const passes::Plan& plan() const = 0;
  /// Compiles a kernel that passes::run has made for this target and that has no Op::Probe left. Throws
  /// std::runtime_error when the compiler fails.
  virtual Binary compile(const ir::Kernel& kernel, const Options& options) const = 0;
};

}  // namespace qd::codegen
