// Encodings in which a source is not the text that its bytes look like.
#pragma once

#include <string>
#include <string_view>

namespace qd::syntax {

/// The encoding that a source declares (PEP 263), when the lines that Python makes of it may not be those of the file:
/// '+AAo-' is a line end in utf-7, '\ ' is one in unicode_escape, and encodings of packages are unknown. Empty when
/// both have the same lines, as in UTF-8, Latin-1 and most others.
std::string encoding_of_other_lines(std::string_view bytes);

}  // namespace qd::syntax
