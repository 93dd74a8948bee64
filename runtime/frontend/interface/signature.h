// Signature of a kernel: its parameters and results, from the annotations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/frontend/constants/errors.h"
#include "runtime/frontend/constants/options.h"
#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// An extent of elements that the array of a call decides: ndarray(element_dim=1) takes vectors of any length.
constexpr int32_t kAnyExtent = -1;

/// One parameter of a kernel, from its annotation.
struct Parameter {
  enum class Kind : uint8_t { Scalar, Array, Template };
  std::string name;
  Kind kind = Kind::Scalar;
  std::optional<ir::Type> type;                            // Scalar: always; Array: when the annotation fixes it
  std::optional<int32_t> rank;                             // Array: when the annotation fixes it
  std::optional<std::vector<int32_t>> element_shape = {};  // Array: when the annotation fixes it, or kAnyExtent
  bool clamp = false;                                      // Array: indices are moved into it
  std::optional<bool> needs_grad = {};  // Array: it has a gradient, which the kernel gets in each mode; false: in none
};

/// A parameter of the source, and the leaves by which it is passed.
struct ParameterTree {
  enum class Form : uint8_t { Leaf, Tensor, Struct, Dataclass, View };  // View: an array, its offset and its size
  std::string name;                                                     // of a part: its name in the whole
  Form form = Form::Leaf;
  size_t first = 0;                                       // leaves, into Signature::parameters
  size_t count = 0;                                       // of a Leaf 1
  bool any_array = false;                                 // a Leaf that is a template, for arrays alone (qd.Tensor)
  std::vector<int32_t> shape = {};                        // Tensor
  std::shared_ptr<const StructType> structure = nullptr;  // Struct, Dataclass
  bool is_array = false;                                  // Struct: its leaves are arrays
  std::vector<ParameterTree> parts = {};                  // Struct, Dataclass
};

/// The result of a kernel: a number, a vector, a matrix or a struct, with the numbers by which it is passed.
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
  std::vector<Parameter> parameters;  // the leaves: the arguments of a launch
  std::vector<ParameterTree> trees;   // the parameters of the source
  std::vector<ir::Type> results;      // numbers
  std::optional<ResultTree> result;   // nothing: the kernel returns nothing
};

/// Reads parameters and results from the annotations. Throws KernelCompilationError.
Signature signature(const FunctionSource& source, Environment& environment, const Options& options);

/// The argument for a parameter in one compilation: a scalar of its annotated type, an array, or a template's value.
using ArgumentType = std::variant<ir::Type, ArrayType, Value>;

}  // namespace qd::frontend
