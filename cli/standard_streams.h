// Standard streams of the program: a failed write to standard output is an error.
#pragma once

#include <stdexcept>
#include <string>

namespace qd::cli {

/// Error of standard output: not everything could be written, because the disk is full, or it was closed.
struct OutputError : std::runtime_error {
  explicit OutputError(int error);
};

/// Keeps closed descriptors 0 to 2 (">&-") unusable. Call this first: otherwise a file that is opened later would get
/// such a number, and then the messages. Children find it closed.
void keep_closed_streams_closed();

/// Flushes standard output. After an error, flush_output() reports it in the end.
void flush_quietly() noexcept;
/// Flushes standard output. Throws OutputError when it, or an earlier write, failed.
void flush_output();

/// Prints a line to standard error, after the output of standard output. Errors of standard error are ignored, because
/// they could not be shown: nothing is thrown.
void tell(const std::string& line) noexcept;

/// Prints the message of an error to standard output, as coverage.py does; to standard error when standard output
/// failed.
void show_error(const std::string& line) noexcept;

}  // namespace qd::cli
