// Funcs of the language that are written in it: their files, each read by the first call of one of its funcs.
#include "runtime/frontend/functions/library_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/interface/module_environment.h"

namespace qd::frontend {
namespace {

constexpr std::string_view kFileNames[] = {
#define QD_LIBRARY_FILE(name) #name,
#include "runtime/frontend/constants/library_files.def"
#undef QD_LIBRARY_FILE
};
constexpr std::string_view kPackage = "qdcov._library.";

/// By file; never destroyed: programs may launch until the end.
std::atomic<std::shared_ptr<Environment>*> read_files[std::size(kFileNames)];

std::optional<Value> imported_func(std::string_view module, std::string_view name);

/// The environment of a file, read by the first call. Two threads may do so at once; one then works in vain. A static
/// variable would have a lock: a process that forks while another thread reads would leave its child waiting.
Environment& environment_of(LibraryFile file) {
  std::atomic<std::shared_ptr<Environment>*>& place = read_files[static_cast<size_t>(file)];
  if (const auto* known = place.load()) return **known;
  syntax::ParseResult parsed = syntax::parse(std::string(library_text(file)));
  if (!parsed.module) throw std::logic_error("the funcs of the kernel language do not parse");
  auto* own = new std::shared_ptr<Environment>(module_environment(std::move(parsed.module), "qd", imported_func));
  std::shared_ptr<Environment>* other = nullptr;
  if (place.compare_exchange_strong(other, own)) return **own;
  delete own;
  return **other;
}

std::optional<Value> imported_func(std::string_view module, std::string_view name) {
  if (!module.starts_with(kPackage)) return std::nullopt;
  const auto* file = std::ranges::find(kFileNames, module.substr(kPackage.size()));
  return file == std::end(kFileNames) ? std::nullopt
                                      : environment_of(static_cast<LibraryFile>(file - kFileNames)).lookup(name);
}

}  // namespace

Item call_library(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr, const Item* self) {
  auto func =
      environment_of(static_cast<LibraryFile>(info.operation)).lookup(info.name.substr(info.name.rfind('.') + 1));
  if (!func || !std::holds_alternative<Func>(*func))
    throw std::logic_error(fmt::format("no func {} of the language", info.name));
  return call_func(c, std::get<Func>(*func), e, expr, self);
}

}  // namespace qd::frontend
