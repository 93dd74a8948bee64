// Checks the arguments of a launch against the signature, and turns them into words and slots for the code; and the key
// and the text of the variant that they ask for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/frontend/interface/template_reads.h"
#include "runtime/launch/program.h"

namespace qd {

/// Key of a variant: the mode and, for each parameter, the type or value that the variant was compiled for.
struct VariantKey {
  ir::AutodiffMode mode = ir::AutodiffMode::Primal;
  bool gradients = has_gradients(mode);  // whether types of arrays tell if they have a gradient
  std::vector<frontend::ArgumentType> arguments;
};

/// Makes the key for these arguments. `gradients`: as in the key; true where the mode needs them. Throws
/// KernelRuntimeTypeError when they do not fit the signature.
VariantKey variant_key(const std::string& kernel, const frontend::Signature& signature,
                       std::span<const Argument> arguments, Program::State& program, ir::AutodiffMode mode,
                       bool gradients);

/// Row of the gradient of an argument among the arrays of a variant.
struct GradientRow {
  uint32_t parameter;
  uint32_t row;
};

/// The gradients of arguments that a variant uses.
std::vector<GradientRow> gradient_rows(const ir::Kernel& kernel, const frontend::Signature& signature);

/// Binds the gradients of arguments. Throws KernelRuntimeTypeError for an argument that has none.
void bind_gradients(const std::string& kernel, const frontend::Signature& signature,
                    const std::vector<GradientRow>& gradients, const ir::Kernel& variant,
                    std::span<const Argument> arguments, ArraySlot* arrays);

/// An array or a number that a variant reads from its templates: its row among the arrays, or the parameters.
struct LeafRow {
  int32_t array;  // -1: it is a number
  int32_t param;  // -1: it is an array
};

/// The rows of a variant's arrays and numbers from templates, in the order in which it reads them.
std::vector<LeafRow> leaf_rows(const frontend::TemplateReads& reads);

/// Binds them.
void bind_leaves(const std::vector<LeafRow>& rows, const frontend::TemplateLeaves& leaves, const ir::Kernel& kernel,
                 ArraySlot* arrays, uint64_t* params);

/// The blocks of memory in which arrays lie that are arguments, or that templates hold, and the gradients that a
/// variant uses of them.
std::vector<std::shared_ptr<device::Memory>> memories_of(std::span<const Argument> arguments,
                                                         const std::vector<GradientRow>& gradients,
                                                         const std::vector<LeafRow>& rows,
                                                         const frontend::TemplateLeaves& leaves,
                                                         const ir::Kernel& kernel);

/// For each parameter, its number among those that are arrays, or among the scalars.
std::vector<uint32_t> rows_of(const frontend::Signature& signature);

/// Fills in the slot of an array or the word of a scalar. `number`: of the parameter. False when the argument needs
/// another variant. Throws KernelRuntimeTypeError for a scalar that does not fit.
bool bind_argument(const std::string& kernel, const frontend::Signature& signature, const VariantKey& key,
                   uint32_t number, const Argument& argument, Program::State& program, ArraySlot* array,
                   uint64_t* param);

/// Fills in those of all arguments, in the order of the parameters. Otherwise as bind_argument.
bool bind_arguments(const std::string& kernel, const frontend::Signature& signature, const VariantKey& key,
                    std::span<const Argument> arguments, Program::State& program, ArraySlot* arrays, uint64_t* params);

// Text of a variant for people: the differences between the variants of a kernel.

/// The text of a variant: "n=3, x=f32 ndarray of 1 dimension": the values of templates, the attributes of templates
/// that the code depends on, and the types of arrays that the annotations leave open. Empty for a kernel that can have
/// one variant only. Values that read alike, such as two objects of one class, give the same text.
std::string variant_text(const frontend::Signature& signature, const VariantKey& key,
                         const frontend::TemplateReads& reads);

}  // namespace qd
