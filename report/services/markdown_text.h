// Markdown that goes to a service: cut where it may be, and made harmless where a stranger wrote it.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// At most `most` bytes of `text`: whole blocks from its beginning, or whole rows of a table; never a part of a fence
/// or of <details>. `note` is the paragraph at the end that says that something is missing; it counts. Nothing but
/// `note` when not even one block fits.
std::string cut_markdown(const std::string& text, size_t most, const std::string& note);

/// What GitHub would act on does nothing any more and looks the same: mentions, references to issues, links, images,
/// and elements other than those of our own reports. It takes a character without width where each of them begins.
std::string tame_markdown(std::string_view text);

}  // namespace qd::report
