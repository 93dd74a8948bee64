// Colours of a source file of any language that we know: by its name.
#pragma once

#include <string>
#include <vector>

#include "report/formats/html/python_colors.h"

namespace qd::report {

/// True for a name that C, C++, CUDA and their like give to their files.
bool is_cpp_name(const std::string& path);

/// Spans of C++: keywords, strings, comments, numbers, preprocessor lines. A lexer without a grammar; it never fails.
std::vector<std::vector<ColorSpan>> cpp_colors(const std::vector<std::string>& lines);

/// C++ for its names, else Python.
std::vector<std::vector<ColorSpan>> source_colors(const std::string& path, const std::vector<std::string>& lines);

}  // namespace qd::report
