// JaCoCo XML:
//
//   <report name="x"><group name="module">
//     <package name="com/example">
//       <class name="com/example/A$B" sourcefilename="A.java">
//         <method name="f" desc="(I)V" line="3"><counter type="METHOD" missed="0" covered="1"/></method></class>
//       <sourcefile name="A.java"><line nr="3" mi="0" ci="4" mb="1" cb="1"/>
//
// A line has the numbers of its missed and covered instructions (mi, ci), and of its branches (mb, cb). It ran when one
// of its instructions did. Its execution count is not known, nor which of its branches were taken.
#include "report/inputs/jacoco.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

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

/// Module of a root: "ma" for ma/src/main/java.
std::string module_of_root(const std::string& root) {
  for (const std::string_view usual : kRoots)
    if (!usual.empty() && (root == usual || root.ends_with("/" + std::string(usual))))
      return root.substr(0, root.size() - usual.size());
  return root;
}

/// Qualified name of a method: "A.B.f" for the method f of com/example/A$B.
std::string qualified(const std::string& class_name, const std::string& method) {
  std::string name = class_name.substr(class_name.rfind('/') + 1) + "." + method;
  std::replace(name.begin(), name.end(), '$', '.');
  return name;
}

}  // namespace

JacocoReader::JacocoReader(XmlDocument& xml, FileNames& names) : xml_(xml), names_(names) {}

void JacocoReader::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "report" || name == "group") {
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
    if (!in_package_ || in_source_file_) return xml_.stop("a <sourcefile> outside of a <package>, or within another");
    in_source_file_ = true;
    source_file_ = attributes.text("name");
    if (source_file_.empty()) xml_.skip("a <sourcefile> has no name");
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
  const char* line = attributes.find("line");
  if (!line || class_file_.empty()) return;  // the class was compiled without line numbers
  const std::optional<int32_t> first = xml_.line_number(line);
  if (!first || *first == 0) return;
  in_method_ = true;
  methods_.push_back({class_file_, {*first, 0, qualified(class_name_, attributes.text("name")), 0}});
}

void JacocoReader::line(const XmlAttributes& attributes) {
  if (!in_source_file_) return xml_.stop("a <line> outside of a <sourcefile>");
  const std::optional<int32_t> number = xml_.line_number(attributes.find("nr"));
  if (!number) return;
  double counts[] = {0, 0, 0, 0};
  const char* names[] = {"mi", "ci", "mb", "cb"};
  for (int i = 0; i < 4; ++i) {
    const char* text = attributes.find(names[i]);
    if (!text && i != 1) continue;
    const std::optional<uint64_t> value = hit_count(text ? text : "");
    if (!value) return xml_.stop(fmt::format("'{}' is no count of '{}'", text ? text : "", names[i]));
    const bool is_negative = i >= 2 && text[0] == '-';
    counts[i] = is_negative ? -1 : static_cast<double>(*value);
  }
  const auto& [mi, ci, mb, cb] = counts;
  if (*number == 0) return;
  const ImportedLine line{*number, ci > 0 ? uint64_t{1} : uint64_t{0}};
  file_.lines.push_back(line);
  if (!append_counted_branches(file_.branches, line, cb, mb < 0 ? mb : mb + cb))
    xml_.skip(fmt::format("mb=\"{}\" cb=\"{}\" can be of no branches", attributes.text("mb"), attributes.text("cb")));
}

void JacocoReader::end_source_file() {
  if (!file_.lines.empty()) {
    const std::string folder = package_.empty() ? "" : package_ + "/";
    const std::string in_package = source_file_.empty() ? "" : folder + source_file_;
    ImportedFile* file = names_.file(in_package, module(), places_of(in_package));
    files_[source_file_] = file;
    if (file) {
      file->sources.insert("jacoco");
      file_.settle();
      file->merge(file_);
    }
  }
  file_ = {};
  source_file_.clear();
  in_source_file_ = false;
}

/// Ends a package: adds its methods, which come before the lines of their file.
void JacocoReader::end_package() {
  std::map<std::string, ImportedFile> by_file;
  for (Method& method : methods_) by_file[method.file_name].functions.push_back(std::move(method.function));
  for (auto& [name, functions] : by_file) {
    auto file = files_.find(name);
    if (file == files_.end() || !file->second) continue;  // the file has no lines
    functions.settle();
    file->second->merge(functions);
  }
  methods_.clear();
  files_.clear();
  package_.clear();
  in_package_ = false;
}

std::string JacocoReader::module() const {
  std::string result;
  for (size_t i = 1; i < groups_.size(); ++i) result += groups_[i] + "/";
  return result;
}

/// Candidate folders of a module's name: of nested groups all together, then the innermost first; last the name of the
/// report. Gradle's ":a:b" is a/b.
std::vector<std::string> JacocoReader::module_folders() const {
  std::vector<std::string> folders = {module()};
  for (size_t i = groups_.size(); i-- > 0;) folders.push_back(groups_[i] + "/");
  for (std::string& folder : folders) {
    std::replace(folder.begin(), folder.end(), ':', '/');
    folder.erase(0, std::min(folder.find_first_not_of('/'), folder.size()));
  }
  std::erase(folders, "");
  return folders;
}

/// The given roots or, if there are any, those of them in a folder with the module's name.
std::vector<std::string> JacocoReader::roots_of_module() const {
  for (const std::string& folder : module_folders()) {
    std::vector<std::string> own;
    for (const std::string& root : names_.roots())
      if (("/" + module_of_root(root) + "/").find("/" + folder) != std::string::npos) own.push_back(root);
    if (!own.empty()) return own;
  }
  return names_.roots();
}

/// Files of the name below the roots, in the folder of the module if it has one, else at the top. When none exists, its
/// path below the first root.
Places JacocoReader::places_of(const std::string& in_package) const {
  std::vector<std::string> roots = roots_of_module();
  if (roots.empty()) roots.assign(std::begin(kRoots), std::end(kRoots));
  auto below = [&](const std::string& folder) {
    std::vector<std::string> paths;
    for (const std::string& root : roots)
      paths.push_back(
          input_path((root.starts_with('/') ? "" : folder) + root + (root.empty() ? "" : "/") + in_package));
    return paths;
  };
  for (const std::string& folder : module_folders())
    if (Places found = names_.present(below(folder)); !found.empty()) return found;
  const std::vector<std::string> at_top = below("");
  const Places found = names_.present(at_top);
  return found.empty() ? Places{at_top[0]} : found;
}

}  // namespace qd::report
