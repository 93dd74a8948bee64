// Key of machine code: a hash of the bytes from which it is generated.
#include "runtime/launch/code_cache.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/build/build_id.h"
#include "runtime/ir/pack.h"
#include "runtime/launch/bytes.h"

namespace qd {
namespace {

std::string packed(const codegen::Binary& object) {
  BytesOut out;
  out.text(object.code);
  out.number(object.symbols.size());
  for (const std::string& symbol : object.symbols) out.text(symbol);
  for (const std::vector<uint32_t>* numbers : {&object.lanes, &object.unsure}) {
    out.number(numbers->size());
    for (uint32_t number : *numbers) out.number(number);
  }
  return out.bytes();
}

std::optional<codegen::Binary> unpacked(std::string_view bytes, size_t tasks) {
  BytesIn in(bytes);
  codegen::Binary object;
  object.code = in.text();
  for (uint64_t symbols = in.number(); in.good() && object.symbols.size() < symbols;)
    object.symbols.emplace_back(in.text());
  for (std::vector<uint32_t>* numbers : {&object.lanes, &object.unsure}) {
    for (uint64_t size = in.number(); in.good() && numbers->size() < size;)
      numbers->push_back(static_cast<uint32_t>(in.number()));
  }
  const bool fits = (object.lanes.empty() || object.lanes.size() == object.symbols.size()) &&
                    std::ranges::all_of(object.unsure, [&](uint32_t task) { return task < tasks; });
  if (!in.good() || !in.at_end() || !fits) return std::nullopt;
  return object;
}

std::string to_string(const codegen::Options& options) {
  // All options: one that is missing here does not compile.
  const auto& [
#define QD_CODE_OPTION(type, name, ...) name,
#include "runtime/options/options.def"
      assembly, other_forms] = options;
  std::string text = fmt::format("assembly {} other_forms {}", assembly, other_forms);
#define QD_CODE_OPTION(type, name, ...) text += fmt::format(" {} {}", #name, name);
#include "runtime/options/options.def"
  return text;
}

}  // namespace

std::string version_of(const codegen::Target& target) {
  return build_id_of(reinterpret_cast<const void*>(&version_of)) + '\n' + target.compiler();
}

CodeCache::CodeCache(const CacheOptions& options, const codegen::Target& target)
    : files_(options, version_of(target)) {}

codegen::Binary CodeCache::compile(const codegen::Target& target, const ir::Kernel& kernel,
                                   const codegen::Options& options, bool* found) {
  const std::string all =
      fmt::format("{}\n{}\n{}\n{}", target.compiler(), target.processor(), to_string(options), ir::pack(kernel));
  const EntryFiles::Key key = EntryFiles::key_of(all);
  if (std::optional<std::string> kept = files_.find(key, EntryFiles::Kind::Code)) {
    auto object = unpacked(*kept, kernel.tasks.size());
    const size_t symbols = options.other_forms && object ? object->unsure.size() : kernel.tasks.size();
    if (object && object->symbols.size() == symbols) {
      if (found) *found = true;
      return *std::move(object);
    }
    files_.discard(key, EntryFiles::Kind::Code, "holds no code");
  }
  codegen::Binary object = target.compile(kernel, options);
  files_.put(key, EntryFiles::Kind::Code, packed(object));
  if (found) *found = false;
  return object;
}

std::optional<std::string> CodeCache::find_of_driver(std::string_view key) {
  return files_.find(EntryFiles::key_of(key), EntryFiles::Kind::Driver);
}

void CodeCache::put_of_driver(std::string_view key, std::string_view bytes) {
  files_.put(EntryFiles::key_of(key), EntryFiles::Kind::Driver, bytes);
}

}  // namespace qd
