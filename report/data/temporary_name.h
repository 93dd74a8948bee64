// Temporary files: their folder, and their removal when a signal ends the program.
#pragma once

#include <cstddef>
#include <string>

namespace qd::report {

/// Folder for temporary files, as Python's tempfile chooses it: the first of TMPDIR, TEMP, TMP, /tmp, /var/tmp that is
/// a folder to write in; else the current one.
std::string temporary_folder();

/// Registers the file `path` while it lives: a signal that ends the program removes the file first, if
/// remove_temporaries_on_signals() was called.
class TemporaryName {
 public:
  explicit TemporaryName(const std::string& path);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

 private:
  size_t slot_;
};

/// Installs the handlers, at the start of our program: SIGINT, SIGTERM and SIGHUP remove the files that have a
/// TemporaryName, and then end the program as usual. A signal that is ignored stays ignored.
void remove_temporaries_on_signals();

}  // namespace qd::report
