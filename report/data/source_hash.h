// Source hash, which identifies the text of a source.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// XXH3 of 128 bits in hexadecimal digits; the same however lines end ("\r\n" or "\n").
std::string source_hash(std::string_view bytes);
/// Hash of the present content of a file; empty when it cannot be read.
std::string source_hash_of_file(const std::string& path);

}  // namespace qd::report
