// JaCoCo XML. https://www.jacoco.org/jacoco/trunk/coverage/report.dtd
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/inputs/xml_document.h"

namespace qd::report {

/// Takes the elements below the root <report>.
class JacocoReader {
 public:
  static constexpr const char* kFormat = "JaCoCo XML";
  /// Packages begin in the roots of `names`; without any, in the folders of Maven and Gradle.
  JacocoReader(XmlDocument& xml, FileNames& names);

  void start(std::string_view name, const XmlAttributes& attributes);
  void end(std::string_view name);
  void text(std::string_view) {}
  void finish() const {}

 private:
  void line(const XmlAttributes& attributes);
  void method(const XmlAttributes& attributes);
  void end_source_file();
  void end_package();
  Places places_of(const std::string& in_package) const;
  std::string module() const;
  std::vector<std::string> module_folders() const;
  std::vector<std::string> roots_of_module() const;

  struct Method {
    std::string file_name;
    ImportedFunction function;
  };

  XmlDocument& xml_;
  FileNames& names_;
  std::vector<std::string> groups_;  // open groups, which are modules; the first is the name of the report
  std::string package_, class_name_, class_file_, source_file_;
  bool in_package_ = false, in_method_ = false, in_source_file_ = false;
  std::map<std::string, ImportedFile*> files_;  // of the package, by name
  std::vector<Method> methods_;                 // of the package
  ImportedFile file_;
};

}  // namespace qd::report
