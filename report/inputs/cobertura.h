// Cobertura XML, as coverage.py, gcovr, llvm's and .NET's tools write it.
// https://raw.githubusercontent.com/cobertura/web/master/htdocs/xml/coverage-04.dtd
#pragma once

#include <string>
#include <vector>

#include "report/inputs/xml_document.h"

namespace qd::report {

/// Takes the elements below the root <coverage>.
class CoberturaReader {
 public:
  static constexpr const char* kFormat = "Cobertura XML";
  CoberturaReader(XmlDocument& xml, FileNames& names) : xml_(xml), names_(names) {}

  void start(std::string_view name, const XmlAttributes& attributes);
  void end(std::string_view name);
  void text(std::string_view text);
  /// Throws DataError.
  void finish() const;

 private:
  void line(const char* number_text, const char* hits_text, const char* conditions);
  void add_branches(const ImportedLine& line, const char* conditions);
  void end_class();
  Places places_of(const std::string& name) const;

  XmlDocument& xml_;
  FileNames& names_;
  bool seen_packages_ = false, in_source_ = false, in_class_ = false, in_method_ = false;
  std::string text_;
  std::vector<std::string> sources_;
  std::string package_;
  std::string file_name_;  // of the open class; empty: it has none
  std::vector<ImportedLine> lines_, method_lines_;
  std::vector<ImportedBranch> branches_, method_branches_;
  std::vector<ImportedFunction> functions_;
};

}  // namespace qd::report
