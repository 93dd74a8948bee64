// Markdown for a service: cut where it may be cut, and made harmless if a stranger wrote it.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// At most `most` bytes of `text`: whole blocks from its beginning, or whole rows of a table, but never a part of a
/// fence or of <details>. `note` is the paragraph at the end that says that something is missing; its length counts.
/// When not even one block fits, the result is only `note`.
std::string cut_markdown(const std::string& text, size_t most, const std::string& note);

/// The text looks the same, but GitHub no longer acts on mentions, references to issues, links, images, and elements
/// that our own reports do not have. A character without width is put where each of them begins.
std::string tame_markdown(std::string_view text);

}  // namespace qd::report
