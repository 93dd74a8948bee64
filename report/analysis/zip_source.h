// Sources inside zip files, which Python imported from "library.zip/package/module.py".
#pragma once

#include <optional>
#include <string>

namespace qd::report {

/// Bytes of a file in an archive that is one of the folders of `path`. No value when none of them is an archive, or
/// when the archive does not have that file, or cannot be read. The suffixes are coverage.py's: .zip, .whl, .egg, .pex,
/// .par.
std::optional<std::string> bytes_in_zip(const std::string& path);

}  // namespace qd::report
