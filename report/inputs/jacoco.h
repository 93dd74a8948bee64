// JaCoCo's XML. https://www.jacoco.org/jacoco/trunk/coverage/report.dtd
#pragma once

#include <string>
#include <vector>

#include "report/inputs/xml_document.h"

namespace qd::report {

/// Takes the elements below the root <report>.
class JacocoReader {
 public:
  static constexpr const char* kFormat = "JaCoCo XML";
  /// `roots` are folders that packages begin in; none: those that Maven and Gradle have.
  JacocoReader(XmlDocument& xml, CoverageData& data, const std::vector<std::string>& roots);

  void start(std::string_view name, const XmlAttributes& attributes);
  void end(std::string_view name);
  void text(std::string_view) {}
  void finish() const {}

 private:
  void line(const XmlAttributes& attributes);
  void method(const XmlAttributes& attributes);
  void end_source_file();
  void end_package();
  std::string path_of(const std::string& file_name) const;

  struct Method {
    std::string file_name;
    ImportedFunction function;
  };

  XmlDocument& xml_;
  CoverageData& data_;
  std::vector<std::string> roots_;
  std::vector<std::string> groups_;  // that are open: modules
  std::string package_, class_name_, class_file_, source_file_;
  bool in_package_ = false, in_method_ = false;
  std::vector<Method> methods_;  // of the package
  ImportedFile file_;
};

}  // namespace qd::report
