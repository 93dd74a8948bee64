// Names of C++ functions, and what those of the instantiations of one template have in common.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// A mangled name as its source has it; any other name as it is.
std::string demangled(std::string name);

/// Whether a name of the source has template arguments: then what is known of it alone is worth keeping.
inline bool may_be_instance(std::string_view name) { return name.find('<') != std::string_view::npos; }

/// "add" of "double add<double>(double, double)": the name without template arguments, parameters and result.
std::string template_name(const std::string& instantiation);

}  // namespace qd::report
