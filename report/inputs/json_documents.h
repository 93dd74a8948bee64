// JSON documents of a file, whose large lists are returned element by element.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/inputs/input_file.h"

namespace qd::report {

/// Characters of an input up to the end of one document. Line and byte numbers count through all documents.
class DocumentStream {
 public:
  explicit DocumentStream(InputFile& file) : file_(file) {}

  /// Skips blanks; false at the end of the file. Else a document begins here.
  bool next_document();

  bool at_end() { return closed_ || (at_ == piece_.size() && !refill()); }
  char peek() const { return piece_[at_]; }
  void advance();
  int64_t line() const { return line_; }

 private:
  bool refill();

  InputFile& file_;
  std::string_view piece_;
  size_t at_ = 0;
  int64_t line_ = 1;
  int depth_ = 0;
  bool in_string_ = false, escaped_ = false, closed_ = false;
};

/// Callback for an element of a streamed list: `keys` are the path of the list ("data", "files"), without indices.
using OnElement = std::function<void(const std::vector<std::string>& keys, const nlohmann::json& element)>;

/// Reads one document. The objects in lists with the paths in `streamed` go to `on_element`, and are not in the result.
/// Throws DataError in the name of `format`.
nlohmann::json read_document(InputFile& file, DocumentStream& stream, const char* format,
                             const std::vector<std::vector<std::string>>& streamed, const OnElement& on_element);

}  // namespace qd::report
