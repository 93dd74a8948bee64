// The key is a hash of the very bytes that code is generated from.
#include "runtime/launch/code_cache.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "runtime/ir/pack.h"
#include "runtime/launch/bytes.h"

namespace qd {
namespace {

std::string packed(const codegen::CompiledObject& object) {
  BytesOut out;
  out.text(object.object);
  for (const std::string& symbol : object.symbols) out.text(symbol);
  return out.bytes();
}

std::optional<codegen::CompiledObject> unpacked(std::string_view bytes, size_t tasks) {
  BytesIn in(bytes);
  codegen::CompiledObject object;
  object.object = in.text();
  while (in.good() && !in.at_end()) object.symbols.emplace_back(in.text());
  if (!in.good() || object.symbols.size() != tasks) return std::nullopt;
  return object;
}

}  // namespace

const std::string& build_and_processor() {
  static const std::string text = codegen::version() + '\n' + codegen::host_cpu();
  return text;
}

CodeCache::CodeCache(const CacheOptions& options) : files_(options, codegen::version()) {}

codegen::CompiledObject CodeCache::compile(const ir::Kernel& kernel, const codegen::CodegenOptions& options, bool* found) {
  const std::string all = fmt::format("{}\n{}\n{}", build_and_processor(), codegen::to_string(options), ir::pack(kernel));
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  const EntryFiles::Key key = {hash.high64, hash.low64};
  if (std::optional<std::string> kept = files_.find(key, EntryFiles::Kind::Code)) {
    if (auto object = unpacked(*kept, kernel.tasks.size())) {
      if (found) *found = true;
      return *std::move(object);
    }
    files_.discard(key, EntryFiles::Kind::Code, "holds no code");
  }
  codegen::CompiledObject object = codegen::compile(kernel, options);
  files_.put(key, EntryFiles::Kind::Code, packed(object));
  if (found) *found = false;
  return object;
}

}  // namespace qd
