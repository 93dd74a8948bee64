// Arguments of a launch: checked against the signature, and turned into words and slots for the code.
#pragma once

#include <span>
#include <vector>

#include "runtime/launch/program.h"

namespace qd {

/// What one variant was compiled for: an element for each parameter.
using VariantKey = std::vector<frontend::Argument>;

/// The key of these arguments. Throws KernelRuntimeTypeError when they do not fit the signature.
VariantKey variant_key(const std::string& kernel, const frontend::Signature& signature,
                       std::span<const Argument> arguments, Program::State& program);

/// Binds what a variant finds in its templates, in the order of its reads.
void bind_leaves(const frontend::TemplateReads& reads, const frontend::TemplateLeaves& leaves, const ir::Kernel& kernel,
                 ArraySlot* arrays, uint64_t* params);

/// The memories that arguments, and arrays in templates, lie in.
std::vector<std::shared_ptr<device::Memory>> memories_of(std::span<const Argument> arguments,
                                                         const frontend::TemplateReads& reads,
                                                         const frontend::TemplateLeaves& leaves);

/// Fills in the slots of arrays and the words of scalars. False when the arguments ask for another variant; throws
/// KernelRuntimeTypeError for a scalar that does not fit.
bool bind_arguments(const std::string& kernel, const frontend::Signature& signature, const VariantKey& key,
                    std::span<const Argument> arguments, Program::State& program, ArraySlot* arrays, uint64_t* params);

}  // namespace qd
