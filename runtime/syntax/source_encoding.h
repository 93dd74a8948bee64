// Encodings in which a source is not the text that its bytes look like.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace qd::syntax {

/// The encoding that a source declares (PEP 263), when the lines that Python makes of it may not be those of the file:
/// '+AAo-' is a line end in utf-7, '\ ' is one in unicode_escape, and encodings of packages are unknown. Empty when
/// both have the same lines, as in UTF-8, Latin-1 and most others.
std::string encoding_of_other_lines(std::string_view bytes);

/// Converts bytes in an encoding, by Python's name of it, to UTF-8; nothing when it does not know the encoding.
using SourceDecoder = std::function<std::optional<std::string>(std::string_view bytes, const std::string& encoding)>;

/// Makes decode_source convert by `decoder`, all but UTF-8 and Latin-1, instead of by iconv: a static program has no
/// iconv of its own system. Called before the first thread starts; `decoder` is called by several.
void set_source_decoder(SourceDecoder decoder);

}  // namespace qd::syntax
