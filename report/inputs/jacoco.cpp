// Reads JaCoCo's XML:
//
//   <report name="x"><group name="module">
//     <package name="com/example">
//       <class name="com/example/A$B" sourcefilename="A.java">
//         <method name="f" desc="(I)V" line="3"><counter type="METHOD" missed="0" covered="1"/></method></class>
//       <sourcefile name="A.java"><line nr="3" mi="0" ci="4" mb="1" cb="1"/>
//
// A line has how many of its instructions were missed and covered (mi, ci), and how many of its branches (mb, cb). It
// ran when one of its instructions did. How often is not known, nor which of its branches were taken.
#include "report/inputs/jacoco.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

namespace qd::report {
namespace {

constexpr const char* kRoots[] = {"src/main/java",
                                  "src/test/java",
                                  "src/main/kotlin",
                                  "src/test/kotlin",
                                  "src/main/scala",
                                  "src/main/groovy",
                                  "src",
                                  ""};

/// "A.B.f" of the method f of com/example/A$B.
std::string qualified(const std::string& class_name, const std::string& method) {
  std::string name = class_name.substr(class_name.rfind('/') + 1) + "." + method;
  std::replace(name.begin(), name.end(), '$', '.');
  return name;
}

}  // namespace

JacocoReader::JacocoReader(XmlDocument& xml, CoverageData& data, const std::vector<std::string>& roots)
    : xml_(xml), data_(data), roots_(roots) {
  if (roots_.empty()) roots_.assign(std::begin(kRoots), std::end(kRoots));
}

void JacocoReader::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "group") {
    groups_.push_back(attributes.text("name"));
  } else if (name == "package") {
    if (in_package_) return xml_.stop("a <package> within another");
    in_package_ = true;
    package_ = attributes.text("name");
  } else if (name == "class") {
    class_name_ = attributes.text("name");
    class_file_ = attributes.text("sourcefilename");
  } else if (name == "method") {
    method(attributes);
  } else if (name == "counter") {
    if (in_method_ && !methods_.empty() && attributes.text("type") == "METHOD")
      methods_.back().function.hits = whole_number<int64_t>(attributes.find("covered")).value_or(0) > 0 ? 1 : 0;
  } else if (name == "sourcefile") {
    if (!in_package_ || !source_file_.empty())
      return xml_.stop("a <sourcefile> outside of a <package>, or within another");
    source_file_ = attributes.text("name");
    if (source_file_.empty()) return xml_.stop("a <sourcefile> has no name");
  } else if (name == "line") {
    line(attributes);
  }
}

void JacocoReader::end(std::string_view name) {
  if (name == "group")
    groups_.pop_back();
  else if (name == "package")
    end_package();
  else if (name == "class")
    class_name_.clear(), class_file_.clear();
  else if (name == "method")
    in_method_ = false;
  else if (name == "sourcefile")
    end_source_file();
}

void JacocoReader::method(const XmlAttributes& attributes) {
  if (class_name_.empty()) return xml_.stop("a <method> outside of a <class>");
  std::optional<int32_t> first = whole_number<int32_t>(attributes.find("line"));
  if (!first || class_file_.empty()) return;  // compiled without line numbers
  if (*first < 1 || *first > kMaxImportedLine)
    return xml_.stop(fmt::format("'{}' is no line number", attributes.text("line")));
  in_method_ = true;
  methods_.push_back({class_file_, {*first, 0, qualified(class_name_, attributes.text("name")), 0}});
}

void JacocoReader::line(const XmlAttributes& attributes) {
  if (source_file_.empty()) return xml_.stop("a <line> outside of a <sourcefile>");
  const char* number_text = attributes.find("nr");
  std::optional<int32_t> number = whole_number<int32_t>(number_text);
  if (!number || *number < 0 || *number > kMaxImportedLine)
    return xml_.stop(fmt::format("'{}' is no line number", number_text ? number_text : ""));
  int64_t counts[] = {0, 0, 0, 0};
  const char* names[] = {"mi", "ci", "mb", "cb"};
  for (int i = 0; i < 4; ++i) {
    const char* text = attributes.find(names[i]);
    if (!text && i != 1) continue;
    std::optional<int64_t> value = whole_number<int64_t>(text);
    if (!value || *value < 0 || (i >= 2 && *value > kMaxBranches))
      return xml_.stop(fmt::format("'{}' is no count of '{}'", text ? text : "", names[i]));
    counts[i] = *value;
  }
  const auto& [mi, ci, mb, cb] = counts;
  if (*number == 0) return;
  ImportedLine line{*number, ci > 0 ? uint64_t{1} : uint64_t{0}};
  file_.lines.push_back(line);
  append_counted_branches(file_.branches, line, static_cast<int>(cb), static_cast<int>(mb + cb));
}

void JacocoReader::end_source_file() {
  if (!file_.lines.empty()) {
    ImportedFile& file = data_.imported[path_of(source_file_)];
    file.sources.insert("jacoco");
    file_.settle();
    file.merge(file_);
  }
  file_ = {};
  source_file_.clear();
}

/// Methods come before the lines of their file.
void JacocoReader::end_package() {
  std::map<std::string, ImportedFile> by_file;
  for (Method& method : methods_) by_file[method.file_name].functions.push_back(std::move(method.function));
  for (auto& [name, functions] : by_file) {
    auto file = data_.imported.find(path_of(name));
    if (file == data_.imported.end()) continue;  // none of its lines is there
    functions.settle();
    file->second.merge(functions);
  }
  methods_.clear();
  package_.clear();
  in_package_ = false;
}

/// The first root under which there is such a file, in the folder of the module if it has one; else the first root.
std::string JacocoReader::path_of(const std::string& file_name) const {
  std::string in_package = (package_.empty() ? "" : package_ + "/") + file_name;
  auto under = [&](const std::string& folder) { return folder.empty() ? in_package : folder + "/" + in_package; };
  std::string module;
  for (const std::string& group : groups_) module += group + "/";
  std::error_code error;
  for (const std::string& folder : {module, std::string()})
    for (const std::string& root : roots_)
      if (std::string path = input_path(root.starts_with('/') ? under(root) : folder + under(root));
          std::filesystem::exists(path, error))
        return path;
  return input_path(under(roots_[0]));
}

}  // namespace qd::report
