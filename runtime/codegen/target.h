// The interface of a back end of code generation: it compiles kernels for one kind of device.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd::codegen {

struct Options {
#define QD_CODE_OPTION(type, name, value, ...) type name = value;
#include "runtime/options/options.def"
  bool assembly = false;     // fill Binary::assembly
  bool other_forms = false;  // compile the tasks of Binary::unsure alone, each in its other form
};

/// The code of all tasks of a kernel, without any address. A device of the same target can load it in this process or
/// in another one.
struct Binary {
  std::string code;
  std::vector<std::string> symbols;   // the name of each task's function in `code`; of other forms, of each task of
                                      // `unsure`
  std::string assembly;               // for people
  std::vector<uint32_t> lanes = {};   // iterations of each such function that run together; empty: one in all
  std::vector<uint32_t> unsure = {};  // tasks that may be faster in another form, which gives the same bits
};

/// The times of the two forms of a task, on launches of the program.
struct MeasuredForm {
  uint32_t task = 0;
  double ratio = 1;       // of the other form's time to that of the first one
  bool is_other = false;  // whether launches run the other form from now on
};

/// Thread-safe. Lives as long as the process.
class Target {
 public:
  virtual ~Target() = default;
  /// The name, version and build of the compiler. Part of the key of every cache.
  virtual const std::string& compiler() const = 0;
  /// Hardware that the code runs on, such as the processor with its features. Part of the key of every cache of code.
  virtual const std::string& processor() const = 0;
  /// This target's requirements of the passes.
  virtual const passes::Plan& plan() const = 0;
  /// Whether compile() wants the names and lines of a kernel. Otherwise it gets a copy without them, and kernels that
  /// differ in nothing else share their code.
  virtual bool wants_lines() const { return false; }
  /// Compiles a kernel that passes::run has made for this target and that has no Op::Probe left. Throws
  /// std::runtime_error when the compiler fails.
  virtual Binary compile(const ir::Kernel& kernel, const Options& options) const = 0;
  /// For each parallel loop of such a kernel, with its lines, a text about how its iterations run, and why; empty where
  /// there is nothing to tell.
  virtual std::vector<std::string> loop_forms(const ir::Kernel&, std::span<const MeasuredForm>) const { return {}; }
  /// The code of a kernel that tells a graph of the device's driver whether steps run (abi/condition_arguments.h), with
  /// its name as the only symbol. Without a symbol: graphs have no conditions. Throws std::runtime_error when the
  /// compiler fails.
  virtual Binary condition_setter() const { return {}; }
};

}  // namespace qd::codegen
