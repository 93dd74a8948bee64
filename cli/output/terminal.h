// The terminals that standard output and standard error may be.
#pragma once

#include <cstdio>
#include <string>

namespace qd::cli {

/// What --color asks for.
enum class ColorChoice { kAuto, kAlways, kNever };
/// For the rest of the process.
void choose_color(ColorChoice when);

/// A person reads the stream: it is a terminal, or --color=always. Never with --color=never.
bool person_reads(std::FILE* stream = stdout);

/// So does one whose terminal shows colours, without NO_COLOR unless --color=always.
bool color_wanted(std::FILE* stream = stdout);

/// The locale's characters are Unicode, or nobody said what they are.
bool unicode_wanted();

/// Columns of the terminal; no limit where there is none.
int terminal_width(std::FILE* stream = stdout);

/// "error: " or "warning: " for who reads the stream, in the colour of `code`; empty for a program, for which messages
/// are coverage.py's.
std::string message_label(std::FILE* stream, const char* label, const char* code);

}  // namespace qd::cli
