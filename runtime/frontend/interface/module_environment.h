// Environment of a `.py` file that is compiled without Python.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// A func that a file of the language's own funcs imports from another one; nothing if the module is none of these.
using ImportedFunc = std::function<std::optional<Value>(std::string_view module, std::string_view name)>;

/// Makes the environment: the file's module-level constants, funcs and imports of qd and math. With `library`, its
/// funcs are of the language itself.
std::shared_ptr<Environment> module_environment(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                                const ImportedFunc& library = nullptr);

}  // namespace qd::frontend
