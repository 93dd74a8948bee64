// Markdown for a service: cut at safe places, and made harmless if it is untrusted.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// At most `most` bytes of `text`: whole blocks from its beginning, or whole rows of a table, but never a part of a
/// fence or of <details>. `note` is the paragraph at the end that tells that text is missing; its length counts. When
/// not even one block fits, the result is only `note`.
std::string cut_markdown(const std::string& text, size_t most, const std::string& note);

/// The same text to a reader, but GitHub does not act on mentions, references to issues, links, images, and elements
/// that our own reports do not have. A zero-width space is put at the beginning of each of them.
std::string tame_markdown(std::string_view text);

}  // namespace qd::report
