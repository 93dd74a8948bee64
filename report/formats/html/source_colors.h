// Colours of a source file, by the language of its name.
#pragma once

#include <string>
#include <vector>

#include "report/formats/html/python_colors.h"

namespace qd::report {

/// Whether a file name is one of C, C++, CUDA and the like.
bool is_cpp_name(const std::string& path);

/// Spans of C++: keywords, strings, comments, numbers, preprocessor lines. A lexer without a grammar; it never fails.
std::vector<std::vector<ColorSpan>> cpp_colors(const std::vector<std::string>& lines);

/// Spans of C++ for its file names, else of Python.
std::vector<std::vector<ColorSpan>> source_colors(const std::string& path, const std::vector<std::string>& lines);

}  // namespace qd::report
