// Parser of C++ function names.
#include "report/data/function_names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace qd::report {

namespace {

/// Removes the text in angle brackets and, from the first parenthesis on, the parameters. Parentheses of a lambda's
/// signature stand in braces, and are removed as well.
std::string without_arguments(std::string_view name) {
  std::string result;
  int angles = 0, braces = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_operator = result.ends_with("operator") || result.ends_with("operator<") ||
                             result.ends_with("operator>") || result.ends_with("operator-");
    if (angles == 0 && is_operator && (c == '<' || c == '>')) {
      result += c;
    } else if (c == '<') {
      ++angles;
    } else if (c == '>' && angles > 0) {
      --angles;
    } else if (angles > 0) {
      continue;
    } else if (c == '(' && braces == 0) {
      const std::string_view rest = name.substr(i);
      if (rest.starts_with("()") && result.ends_with("operator")) {
        result += "()";
        ++i;
      } else if (rest.starts_with("(anonymous namespace)")) {
        i += std::string_view("(anonymous namespace)").size() - 1;
      } else {
        break;
      }
    } else {
      braces += c == '{' ? 1 : c == '}' ? -1 : 0;
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string demangled(std::string name) {
  size_t colon = name.rfind(":_Z");  // "main.cpp:_ZL3foov": a static function
  if (colon != std::string::npos) name.erase(0, colon + 1);
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

std::string template_name(const std::string& instantiation) {
  // A conversion operator ends in a type, which has blanks of its own.
  std::string name = without_arguments(instantiation);
  const size_t conversion = name.find("operator ");
  const size_t blank = name.rfind(' ', conversion == std::string::npos ? std::string::npos : conversion);
  if (blank != std::string::npos && blank + 1 < name.size()) name.erase(0, blank + 1);
  // A name of Rust ends in a hash: "alloc::vec::push::h0123456789abcdef".
  const size_t hash = name.rfind("::h");
  if (hash != std::string::npos && name.size() - hash == 19) name.erase(hash);
  return name;
}

}  // namespace qd::report
