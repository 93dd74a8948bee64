// Names of C++ functions, and the common name of the instantiations of one template.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// A mangled name as its source has it; any other name as it is.
std::string demangled(std::string name);

/// Whether a name of the source has template arguments: then its own lines are kept, apart from the template's.
inline bool may_be_instance(std::string_view name) { return name.find('<') != std::string_view::npos; }

/// Name without template arguments, parameters and result: "add" for "double add<double>(double, double)".
std::string template_name(const std::string& instantiation);

}  // namespace qd::report
