// Kernels from source text, for the tests of the front end.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "runtime/frontend/frontend.h"

namespace qd::frontend {

/// A module that was read from text, with the parts that compile its kernels.
struct Source {
  explicit Source(std::string text, std::string file = "test.py") : file(std::move(file)) {
    syntax::ParseResult result = syntax::parse("import qd\n" + std::move(text));
    if (!result.module) throw std::runtime_error(result.error->message);
    module = std::move(result.module);
    environment = module_environment(module, this->file);
  }

  FunctionSource function(std::string_view name) const { return find_function(module, file, name).value(); }

  ir::Kernel lower(std::string_view name, std::vector<ArgumentType> arguments = {}, Options options = {},
                   std::vector<Warning>* warnings = nullptr) const {
    return frontend::lower(function(name), *environment, arguments, options, warnings);
  }

  /// The messages of what is wrong with a kernel, empty when nothing is.
  std::vector<std::string> errors(std::string_view name, std::vector<ArgumentType> arguments = {},
                                  Options options = {}) const {
    std::vector<std::string> messages;
    try {
      lower(name, std::move(arguments), options);
    } catch (const KernelCompilationError& error) {
      for (const Diagnostic& d : error.diagnostics) messages.push_back(d.message);
    }
    return messages;
  }

  std::string file;
  std::shared_ptr<const syntax::Module> module;
  std::shared_ptr<Environment> environment;
};

}  // namespace qd::frontend
