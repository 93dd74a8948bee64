// Environment of a `.py` file that is compiled without Python.
#pragma once

#include <memory>
#include <string>

#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// Makes the environment: the file's module-level constants, funcs and imports of qd and math. `library`: its funcs are
/// of the language itself.
std::shared_ptr<Environment> module_environment(std::shared_ptr<const syntax::Module> module, const std::string& file,
                                                bool library = false);

}  // namespace qd::frontend
