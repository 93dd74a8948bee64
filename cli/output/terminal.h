// Terminal properties of standard output and standard error.
#pragma once

#include <cstdio>
#include <string>

namespace qd::cli {

/// Values of --color.
enum class ColorChoice { kAuto, kAlways, kNever };
/// Sets the choice for the rest of the process.
void choose_color(ColorChoice when);

/// Whether a person reads the stream: it is a terminal, or --color=always. Never with --color=never.
bool person_reads(std::FILE* stream = stdout);

/// Whether, in addition, the terminal shows colours. NO_COLOR turns them off unless --color=always.
bool color_wanted(std::FILE* stream = stdout);

/// Whether the locale's characters are Unicode, or no locale is set.
bool unicode_wanted();

/// Columns of the terminal; no limit when there is none.
int terminal_width(std::FILE* stream = stdout);

/// Label of a message, "error: " or "warning: ", in the colour of `code`, when a person reads the stream; empty for a
/// program, for which messages are coverage.py's.
std::string message_label(std::FILE* stream, const char* label, const char* code);

}  // namespace qd::cli
