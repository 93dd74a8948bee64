// Writes the key of a variant, and what it has read of its templates.
#include "runtime/launch/variant_text.h"

#include <fmt/format.h>

#include "runtime/launch/value_text.h"

namespace qd {
namespace {

using frontend::Parameter;
using frontend::TemplateRead;
using frontend::Value;

constexpr size_t kMostOfText = 40;  // bytes of a str
constexpr size_t kMostItems = 8;    // of a tuple

/// The beginning of a UTF-8 text, cut between characters.
std::string beginning(const std::string& text) {
  if (text.size() <= kMostOfText) return text;
  size_t end = kMostOfText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

/// A value as Python writes it, where Python has a short way to.
std::string short_text(const Value& value) {
  if (const bool* b = std::get_if<bool>(&value)) return *b ? "True" : "False";
  if (const int64_t* i = std::get_if<int64_t>(&value)) return fmt::to_string(*i);
  if (const double* d = std::get_if<double>(&value)) return fmt::to_string(*d);
  if (const std::string* s = std::get_if<std::string>(&value)) return "'" + beginning(*s) + "'";
  if (const ir::Type* type = std::get_if<ir::Type>(&value)) return std::string(ir::name(*type));
  if (const frontend::Func* func = std::get_if<frontend::Func>(&value); func && func->source)
    return std::string(func->source->function().name);
  if (const frontend::Tuple* tuple = std::get_if<frontend::Tuple>(&value)) {
    std::string items;
    for (size_t i = 0; i < tuple->items.size() && i < kMostItems; ++i)
      items += (i > 0 ? ", " : "") + short_text(tuple->items[i]);
    if (tuple->items.size() > kMostItems) items += ", …";
    return (tuple->is_list ? "[" : "(") + items + (tuple->is_list ? "]" : ")");
  }
  return value_text(value);
}

/// "self.n": what was read of a template.
std::string place_of(const frontend::Signature& signature, const frontend::TemplateReads& reads,
                     const TemplateRead& read) {
  if (read.object < 0) return signature.parameters[read.argument].name;
  const std::string object = place_of(signature, reads, reads[static_cast<size_t>(read.object)]);
  return read.attribute.empty() ? fmt::format("{}[{}]", object, read.item) : object + "." + read.attribute;
}

}  // namespace

std::string variant_text(const frontend::Signature& signature, const VariantKey& key,
                         const frontend::TemplateReads& reads) {
  std::string text;
  auto add = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  };
  for (size_t i = 0; i < key.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    const auto* array = std::get_if<frontend::ArrayType>(&key[i]);
    if (array && (!parameter.type || !parameter.rank)) add(parameter.name, array_text(*array));
    if (const Value* value = std::get_if<Value>(&key[i])) add(parameter.name, short_text(*value));
  }
  for (const TemplateRead& read : reads) {
    if (read.object >= 0 && read.baked) add(place_of(signature, reads, read), short_text(read.value));
  }
  return text;
}

}  // namespace qd
