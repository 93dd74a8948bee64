// Conversions of options, one for each row of their table.
#include "runtime/python/module_parts.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <type_traits>

namespace qd::python {
namespace {

template <class T>
bool convert(nb::handle from, T& to) {
  if constexpr (std::is_same_v<T, ir::Type>) {
    std::string name;
    if (!convert(from, name)) return false;
    const std::optional<ir::Type> type = ir::type_from_name(name);
    if (type) to = *type;
    return type.has_value();
  } else if constexpr (std::is_enum_v<T>) {
    int number = 0;
    if (!convert(from, number)) return false;
    to = static_cast<T>(number);
    return true;
  } else {
    return nb::try_cast(from, to, false);
  }
}

template <class T>
nb::object converted(const T& value) {
  if constexpr (std::is_same_v<T, ir::Type>) {
    return nb::cast(std::string(ir::name(value)));
  } else if constexpr (std::is_enum_v<T>) {
    return nb::cast(static_cast<int>(value));
  } else {
    return nb::cast(value);
  }
}

template <class T>
void take(const nb::dict& given, const char* name, T& value) {
  if (!given.contains(name)) throw nb::type_error(fmt::format("the option {} is missing", name).c_str());
  if (!convert(given[name], value))
    throw nb::type_error(fmt::format("the option {} has a value of another type", name).c_str());
}

}  // namespace

Config config_of(const nb::dict& given) {
  Config config;
  size_t taken = 0;
#define QD_NATIVE_OPTION(type, name, ...) take(given, #name, config.name), ++taken;
#include "runtime/options/options.def"
  if (given.size() != taken) throw nb::type_error("there are options that the native module does not know");
  return config;
}

nb::dict default_options() {
  const Config config;
  nb::dict options;
#define QD_NATIVE_OPTION(type, name, ...) options[#name] = converted(config.name);
#include "runtime/options/options.def"
  return options;
}

}  // namespace qd::python
