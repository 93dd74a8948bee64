// Writes the key of a variant, and its reads of templates.
#include "runtime/launch/arguments.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/value_text.h"

namespace qd {
namespace {

using frontend::array_text;
using frontend::Parameter;
using frontend::short_text;
using frontend::TemplateRead;
using frontend::Value;

/// Path of a read of a template: "self.n".
std::string name_of(const frontend::Signature& signature, const frontend::TemplateReads& reads,
                    const TemplateRead& read) {
  if (read.object < 0) return signature.parameters[read.argument].name;
  const std::string object = name_of(signature, reads, reads[static_cast<size_t>(read.object)]);
  return read.attribute.empty() ? fmt::format("{}[{}]", object, read.item) : object + "." + read.attribute;
}

}  // namespace

std::string variant_text(const frontend::Signature& signature, const VariantKey& key,
                         const frontend::TemplateReads& reads) {
  std::string text;
  auto add = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  };
  for (size_t i = 0; i < key.arguments.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    const auto* array = std::get_if<frontend::ArrayType>(&key.arguments[i]);
    if (array && (!parameter.type || !parameter.rank)) add(parameter.name, array_text(*array));
    if (const Value* value = std::get_if<Value>(&key.arguments[i])) add(parameter.name, short_text(*value));
  }
  for (const TemplateRead& read : reads) {
    if (read.object >= 0 && read.baked) add(name_of(signature, reads, read), short_text(read.value));
  }
  return text;
}

}  // namespace qd
