// Clover XML: of OpenClover, of Istanbul and tools that use it (nyc, c8, Jest, Vitest), of PHPUnit, which names no
// version of Clover.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/inputs/xml_document.h"

namespace qd::report {

/// Takes the elements below the root <coverage>.
class CloverReader {
 public:
  static constexpr const char* kFormat = "Clover XML";
  CloverReader(XmlDocument& xml, FileNames& names) : xml_(xml), names_(names) {}

  void start(std::string_view name, const XmlAttributes& attributes);
  void end(std::string_view name);
  void text(std::string_view) {}
  /// Throws DataError.
  void finish() const;

 private:
  void line(const XmlAttributes& attributes);
  void condition(int32_t number, const XmlAttributes& attributes);
  void end_file();
  /// Reads a count. None when it is missing or wrong; then the document has been stopped.
  std::optional<uint64_t> count(const XmlAttributes& attributes, const char* name);

  XmlDocument& xml_;
  FileNames& names_;
  bool seen_project_ = false, in_file_ = false;
  std::string name_;                       // path of the open file; empty: it has none
  std::map<int32_t, uint64_t> least_;      // [line] -> smallest hits of its statements
  std::map<int32_t, uint64_t> decided_;    // [line] -> evaluations of its conditions, for lines without other counts
  std::map<int32_t, int32_t> conditions_;  // [line] -> number of conditions
  ImportedFile file_;
};

}  // namespace qd::report
