// Document path: addresses of documents in editors.
#pragma once

#include <string>

namespace qd::cli {

/// Path of a document's address: "/tmp/a b.py" for "file:///tmp/a%20b.py", "file:/tmp/a%20b.py" or
/// "FILE://localhost/tmp/a%20b.py" (RFC 8089). Empty for a document that is no file of this machine:
/// "untitled:Untitled-1", "git:/a.py", "file://server/a.py".
std::string document_path(const std::string& uri);

/// Path without links and dots; empty for an empty one.
std::string canonical_path(const std::string& path);

}  // namespace qd::cli
