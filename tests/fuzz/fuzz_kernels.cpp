// libFuzzer target: any bytes as a file of kernels. Each kernel is compiled for arguments that its annotations allow,
// with asserts, probes and conditions, as far as the code generator; errors in it are diagnostics, each with a
// message and a place in the file.
//
// Run: build/fuzz/tests/fuzz/fuzz_kernels -max_len=2048 -timeout=10 some_folder build/fuzz/corpora/kernels
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/frontend/frontend.h"
#include "runtime/passes/pipeline.h"

using namespace qd;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// Function definitions outside of other functions and classes.
std::vector<const syntax::Stmt*> functions_of(const syntax::Module& module) {
  std::vector<const syntax::Stmt*> result;
  for (const syntax::Stmt* statement : module.body)
    if (std::holds_alternative<syntax::FunctionDef>(statement->node)) result.push_back(statement);
  return result;
}

frontend::ArgumentType argument_for(const frontend::Parameter& parameter, bool other) {
  switch (parameter.kind) {
    case frontend::Parameter::Kind::Scalar: return *parameter.type;
    case frontend::Parameter::Kind::Array: {
      frontend::ArrayType array{parameter.type.value_or(other ? ir::Type::F64 : ir::Type::I32),
                                parameter.rank.value_or(other ? 2 : 1)};
      array.element_shape = parameter.element_shape.value_or(other ? std::vector{3} : std::vector<int32_t>());
      for (int32_t extent : array.element_shape) array.layout.components *= extent;
      return array;
    }
    case frontend::Parameter::Kind::Template: break;
  }
  if (other) {
    frontend::HostField field{1, ir::Type::F32, {4, 4}, "field", {2, 2}};
    field.layout.components = 4;
    return frontend::Value(field);
  }
  return frontend::Value(int64_t{3});
}

void check_diagnostics(const frontend::KernelCompilationError& error, int32_t n_lines) {
  require(!error.diagnostics.empty());
  for (const frontend::Diagnostic& diagnostic : error.diagnostics) {
    require(!diagnostic.message.empty() && diagnostic.line >= 1 && diagnostic.line <= n_lines);
    require(diagnostic.col >= 0 && diagnostic.end_col >= diagnostic.col);
  }
}

void compile(const frontend::FunctionSource& source, frontend::Environment& environment, bool other, int32_t n_lines) {
  frontend::Options options;
  options.debug = !other;
  options.instruments = other ? 0 : ir::instruments(ir::Instrument::Arcs, ir::Instrument::Conditions);
  options.short_circuit_operators = !other;
  options.default_fp = other ? ir::Type::F64 : ir::Type::F32;
  try {
    frontend::Signature signature = frontend::signature(source, environment, options);
    std::vector<frontend::ArgumentType> arguments;
    for (const frontend::Parameter& parameter : signature.parameters)
      arguments.push_back(argument_for(parameter, other));
    std::vector<frontend::Warning> warnings;
    ir::Kernel kernel = frontend::lower(source, environment, arguments, options, &warnings);
    std::string text = ir::print(kernel);
    require(ir::print(ir::parse(text)) == text);
    if (options.instruments) return;
    passes::PassOptions pass_options;
    pass_options.verify_each = true;
    passes::run(kernel, pass_options);
  } catch (const frontend::KernelCompilationError& error) {
    check_diagnostics(error, n_lines);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text = syntax::decode_source(std::string(reinterpret_cast<const char*>(data), size));
  syntax::ParseResult parsed = syntax::parse(text);
  if (!parsed.module) return 0;
  const std::string file = "kernels.py";
  auto n_lines = static_cast<int32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  std::shared_ptr<const syntax::Module> module = std::move(parsed.module);
  std::shared_ptr<frontend::Environment> environment = frontend::module_environment(module, file);
  for (const syntax::Stmt* def : functions_of(*module)) {
    frontend::FunctionSource source{module, def, file};
    compile(source, *environment, false, n_lines);
    compile(source, *environment, true, n_lines);
  }
  return 0;
}
