// Sources inside of zip files: what Python imported from "library.zip/package/module.py".
#pragma once

#include <optional>
#include <string>

namespace qd::report {

/// The bytes of a file in an archive that a folder of `path` is; no value when no folder of it is one, or when the
/// archive does not have that file, or cannot be read. The suffixes are coverage.py's: .zip, .whl, .egg, .pex, .par.
std::optional<std::string> bytes_in_zip(const std::string& path);

}  // namespace qd::report
