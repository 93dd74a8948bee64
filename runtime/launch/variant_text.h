// Text of a variant for people: the differences between the variants of a kernel.
#pragma once

#include <string>

#include "runtime/frontend/interface/template_reads.h"
#include "runtime/launch/arguments.h"

namespace qd {

/// The text of a variant: "n=3, x=f32 ndarray of 1 dimension": the values of templates, the attributes of templates
/// that the code depends on, and the types of arrays that the annotations leave open. Empty for a kernel that can have
/// one variant only. Values that read alike, such as two objects of one class, give the same text.
std::string variant_text(const frontend::Signature& signature, const VariantKey& key,
                         const frontend::TemplateReads& reads);

}  // namespace qd
