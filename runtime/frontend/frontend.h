// The kernel compiler's front half: the syntax tree of a kernel, its environment and its argument types become kernel
// IR.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "runtime/frontend/template_reads.h"
#include "runtime/frontend/value.h"
#include "runtime/ir/instruments.h"
#include "runtime/ir/kernel.h"

namespace qd::frontend {

/// Which Python exception a compile error becomes.
enum class ErrorKind : uint8_t { Compilation, Syntax, Type, Name, Index };

struct Diagnostic {
  ErrorKind kind = ErrorKind::Compilation;
  std::string message;
  std::string file;
  std::string function;
  int32_t line = 0;     // from 1
  int32_t col = 0;      // from 0, UTF-8 bytes
  int32_t end_col = 0;  // exclusive, on the same line
  std::string source_line;
  std::vector<std::string> calls;  // "file:line in func" of the calls that led here, innermost first
};

/// What the user's kernel has wrong: every diagnostic of the kernel, in source order. what() is all of them, each with
/// source line and caret.
struct KernelCompilationError : std::runtime_error {
  explicit KernelCompilationError(std::vector<Diagnostic> diagnostics);
  std::vector<Diagnostic> diagnostics;
};

/// The error of a file that is no Python.
KernelCompilationError syntax_error(const syntax::SyntaxError& error, const std::string& file);

/// One parameter of a kernel, from its annotation.
struct Parameter {
  enum class Kind : uint8_t { Scalar, Array, Template };
  std::string name;
  Kind kind = Kind::Scalar;
  std::optional<ir::Type> type;                            // Scalar: always; Array: when the annotation fixes it
  std::optional<int32_t> rank;                             // Array: when the annotation fixes it
  std::optional<std::vector<int32_t>> element_shape = {};  // Array: when the annotation fixes it
  bool clamp = false;                                      // Array: indices are moved into it
};

struct Options {
#define QD_FRONT_END_OPTION(type, name, value, ...) type name = value;
#include "runtime/options/options.def"
  ir::Instruments instruments = 0;  // whose operations the kernel gets: probes on every line and branch edge, notes of
                                    // every decision (syntax/decisions.h)
  bool pure = false;                // only definitions and constants may be captured (fastcache=True)

  bool wants(ir::Instrument instrument) const { return ir::has(instruments, instrument); }
};

/// A parameter of the source, and the leaves that it is passed as.
struct ParameterTree {
  enum class Form : uint8_t { Leaf, Tensor, Struct, Dataclass, View };  // View: an array, its offset and its size
  std::string name;                                                     // of a part: as the part is called
  Form form = Form::Leaf;
  size_t first = 0;                                       // leaves, into Signature::parameters
  size_t count = 0;                                       // of a Leaf 1, or 2 when the gradient is passed too
  bool any_array = false;                                 // a Leaf that is a template, for arrays alone (qd.Tensor)
  std::vector<int32_t> shape = {};                        // Tensor
  std::shared_ptr<const StructType> structure = nullptr;  // Struct, Dataclass
  bool is_array = false;                                  // Struct: its leaves are arrays
  std::vector<ParameterTree> parts = {};                  // Struct, Dataclass
};

/// What a kernel returns: a number, a vector, a matrix or a struct, as the numbers that it is passed as.
struct ResultTree {
  std::string name;  // of a member
  size_t first = 0;  // into Signature::results
  size_t count = 1;
  std::vector<int32_t> shape = {};                        // of a tensor
  std::shared_ptr<const StructType> structure = nullptr;  // of a struct
  std::vector<ResultTree> parts = {};                     // of a struct or tuple
  bool tuple = false;
};

struct Signature {
  std::vector<Parameter> parameters;  // the leaves: what a launch takes
  std::vector<ParameterTree> trees;   // the parameters of the source
  std::vector<ir::Type> results;      // numbers
  std::optional<ResultTree> result;   // nothing: the kernel returns nothing
};

/// Reads parameters and results from the annotations. Throws KernelCompilationError.
Signature signature(const FunctionSource& source, Environment& environment, const Options& options);

/// What stands for a parameter in one compilation: a scalar of its annotated type, an array, or a template's value.
using Argument = std::variant<ir::Type, ArrayType, Value>;

/// What the compiler says of a line without refusing it.
struct Warning {
  std::string file;
  int32_t line = 0;
  std::string text;
  bool of_this_process = false;  // it says something that is otherwise in another one, as the length of a path is
  bool operator==(const Warning&) const = default;
};
/// "file:line: text".
std::string message(const Warning& warning);

/// Compiles one instance of a kernel. Scalars become Kernel::params, arrays Kernel::arrays, both in the order of the
/// parameters; fields follow in the order of first use. `warnings` gets each warning once, `reads` what the kernel has
/// seen of its templates: arrays and numbers of those follow the parameters'. Throws KernelCompilationError with all
/// errors of the kernel.
ir::Kernel lower(const FunctionSource& source, Environment& environment, std::span<const Argument> arguments,
                 const Options& options, std::vector<Warning>* warnings, TemplateReads* reads = nullptr);

/// The environment of a `.py` file that no Python runs: its module-level constants, funcs and imports of qd and math.
std::shared_ptr<Environment> module_environment(std::shared_ptr<const syntax::Module> module, const std::string& file);

/// Finds a module-level function by name, or by its first line. Nothing when there is none.
std::optional<FunctionSource> find_function(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                            std::string_view name);
std::optional<FunctionSource> find_function_at(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                               int32_t first_line);

}  // namespace qd::frontend
