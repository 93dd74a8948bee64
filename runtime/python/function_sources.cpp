// The sources of Python functions, parsed: each file once, as long as its text is the same.
#include "runtime/python/objects.h"

#include <mutex>
#include <unordered_map>

namespace qd::python {

namespace {

struct ParsedFile {
  std::string text;
  std::shared_ptr<const syntax::Module> module;
};

/// Cache of parsed files. Never destroyed: programs may outlive the interpreter.
struct ParsedFiles {
  std::mutex mutex;
  std::unordered_map<std::string, ParsedFile> files;
};
ParsedFiles& parsed_files() {
  static ParsedFiles& instance = *new ParsedFiles();
  return instance;
}

std::shared_ptr<const syntax::Module> parsed(const std::string& file, std::string text) {
  std::lock_guard lock(parsed_files().mutex);
  ParsedFile& entry = parsed_files().files[file];
  if (entry.module && entry.text == text) return entry.module;
  syntax::ParseResult result = syntax::parse(text);
  if (result.error) throw frontend::syntax_error(*result.error, file);
  entry = {std::move(text), std::move(result.module)};
  return entry.module;
}

}  // namespace

std::shared_ptr<const std::string> compiled_text(const std::string& file) {
  std::lock_guard lock(parsed_files().mutex);
  auto found = parsed_files().files.find(file);
  if (found == parsed_files().files.end() || !found->second.module) return nullptr;
  return {found->second.module, &found->second.module->source};
}

frontend::FunctionSource Objects::source(nb::handle function) {
  nb::tuple origin = nb::cast<nb::tuple>(classes().source_of(function));
  auto file = nb::cast<std::string>(origin[0]);
  auto name = nb::cast<std::string>(origin[2]);
  auto first_line = nb::cast<int32_t>(origin[3]);
  auto module = parsed(file, nb::cast<std::string>(origin[1]));
  auto found = name == frontend::kLambda
                   ? frontend::find_lambda_at(std::move(module), file, first_line, nb::cast<int32_t>(origin[4]))
                   : frontend::find_function_at(std::move(module), file, name, first_line);
  if (found) {
    found->method = nb::cast<bool>(origin[5]);
    found->library = nb::cast<bool>(origin[6]);
    found->checks = nb::cast<bool>(origin[7]);
  }
  if (!found) {
    frontend::Diagnostic diagnostic;
    diagnostic.message = "the source of this function is not there any more; the file has changed";
    diagnostic.file = file;
    diagnostic.function = std::move(name);
    diagnostic.line = first_line;
    throw frontend::KernelCompilationError({diagnostic});
  }
  return *std::move(found);
}

}  // namespace qd::python
