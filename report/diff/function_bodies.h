// Code in a source of a language with braces: C, C++ and similar ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// Lines of a function, from 1: the first line of its head, that of its '{' and that of its '}'.
struct FunctionBody {
  int32_t head = 0, first = 0, last = 0;
};

/// Code that a scan without a parser finds.
struct ScannedCode {
  std::vector<FunctionBody> functions;     // a function in a function belongs to the outer one
  std::vector<FunctionBody> initializers;  // statements outside of functions that run
  std::vector<FunctionBody> declarations;  // blocks of a script that do not run: of interfaces, imports
  std::vector<bool> tokens;                // [line - 1]: whether more than comments and directives is in the line
  bool is_clear = true;  // false: braces are unbalanced or a comment has no end, so code may be missed
};

/// Whether all code of a language runs, also outside of functions.
bool is_script(std::string_view language);

/// Finds code by braces. Functions that macros make are not seen. `language` is that of language_of().
ScannedCode scan_code(const std::string& text, const std::string& language = ".c");

/// Whether a line begins a declaration in a script, such as of JavaScript or PHP, that does not run: an import, the
/// export of names, an interface, a type.
bool is_declaration(std::string_view line);

}  // namespace qd::report
