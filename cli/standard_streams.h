// Standard output and standard error of the program: what cannot be written there is an error.
#pragma once

#include <stdexcept>
#include <string>

namespace qd::cli {

/// Standard output took not everything: the disk is full, or it was closed.
struct OutputError : std::runtime_error {
  explicit OutputError(int error);
};

/// Called first. A descriptor of 0 to 2 that is closed (">&-") stays one that takes nothing: no file that is opened
/// later gets its number, and then the messages. Children find it closed.
void keep_closed_streams_closed();

/// Writes what is buffered for standard output. When that fails, flush_output() says so in the end.
void flush_quietly() noexcept;
/// Writes what is still buffered for standard output. Throws OutputError when it, or an earlier write, failed.
void flush_output();

/// Prints a line to standard error, after what standard output has. When standard error takes nothing, nobody can be
/// told so: nothing is thrown.
void tell(const std::string& line) noexcept;

/// Prints the message of an error to standard output, where coverage.py's are; to standard error when standard output
/// is what failed.
void show_error(const std::string& line) noexcept;

}  // namespace qd::cli
