// Cobertura XML:
//
//   <coverage><sources><source>/root</source></sources>
//     <packages><package name="pkg"><classes><class filename="pkg/a.cpp">
//       <methods><method name="f" signature="(int)"><lines>...</lines></method></methods>
//       <lines><line number="3" hits="1" branch="true" condition-coverage="50% (1/2)"/></lines>
//
// The format has the number of taken branches, not which ones. Of "1/2" the first counts as taken. So merging two such
// files is only that exact.
#include "report/inputs/cobertura.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace qd::report {
namespace {

/// Folder "a/b" of a package "a.b". coverage.py's "." means none.
std::string folder_of(std::string package) {
  std::replace(package.begin(), package.end(), '.', '/');
  const size_t first = package.find_first_not_of('/');
  return first == std::string::npos ? "" : package.substr(first, package.find_last_not_of('/') + 1 - first);
}

}  // namespace

void CoberturaReader::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "packages") {
    seen_packages_ = true;
  } else if (name == "source") {
    text_.clear();
    in_source_ = true;
  } else if (name == "package") {
    package_ = attributes.text("name");
  } else if (name == "class") {
    if (in_method_ || in_class_) return xml_.stop("a <class> within another");
    in_class_ = true;
    file_name_ = attributes.text("filename");
    if (file_name_.empty()) xml_.skip("a <class> has no filename");
    lines_.clear();
    method_lines_.clear();
    branches_.clear();
    functions_.clear();
  } else if (name == "method") {
    if (in_method_ || !in_class_) return xml_.stop("a <method> outside of a <class>");
    std::string signature = attributes.text("signature");
    functions_.push_back({0, 0, attributes.text("name") + (signature.starts_with('(') ? signature : ""), 0});
    in_method_ = true;
  } else if (name == "line") {
    line(attributes.find("number"), attributes.find("hits"), attributes.find("condition-coverage"));
  }
}

void CoberturaReader::end(std::string_view name) {
  if (name == "source") {
    in_source_ = false;
    size_t first = text_.find_first_not_of(" \t\r\n");
    if (first != std::string::npos)
      sources_.push_back(text_.substr(first, text_.find_last_not_of(" \t\r\n") + 1 - first));
  } else if (name == "method") {
    in_method_ = false;
    if (functions_.back().first_line == 0) functions_.pop_back();
  } else if (name == "class") {
    end_class();
  }
}

void CoberturaReader::text(std::string_view text) {
  if (in_source_) text_ += text;
}

void CoberturaReader::finish() const {
  if (!seen_packages_) xml_.fail("there is no <packages> in it");
}

void CoberturaReader::line(const char* number_text, const char* hits_text, const char* conditions) {
  if (!in_class_) return xml_.stop("a <line> outside of a <class>");
  const std::optional<int32_t> number = xml_.line_number(number_text);
  if (!number) return;
  const std::optional<uint64_t> hits = hit_count(hits_text ? hits_text : "");
  if (!hits) return xml_.stop(fmt::format("'{}' is no number of hits", hits_text ? hits_text : ""));
  if (*number == 0) return;
  const ImportedLine line{*number, *hits};
  if (in_method_) {
    ImportedFunction& function = functions_.back();
    if (function.first_line == 0) function.hits = line.hits;
    if (function.first_line == 0 || line.line < function.first_line) function.first_line = line.line;
    function.last_line = std::max(function.last_line, line.line);
  }
  (in_method_ ? method_lines_ : lines_).push_back(line);
  if (conditions) add_branches(line, conditions);
}

/// Adds the branches of an attribute such as "50% (1/2)".
void CoberturaReader::add_branches(const ImportedLine& line, const char* conditions) {
  const char* open = std::strchr(conditions, '(');
  double taken = 0, total = 0;
  int size = 0;
  if (!open || std::sscanf(open, "(%lf/%lf)%n", &taken, &total, &size) != 2 || size == 0)
    return xml_.stop(fmt::format("'{}' is no condition-coverage", conditions));
  if (!append_counted_branches(in_method_ ? method_branches_ : branches_, line, taken, total))
    xml_.skip(fmt::format("'{}' can be of no branches", conditions));
}

/// Ends a class. Lines of methods are usually among those of their class; if not, they are added.
void CoberturaReader::end_class() {
  ImportedFile more;
  more.lines = std::move(lines_);
  more.branches = std::move(branches_);
  more.functions = std::move(functions_);
  more.settle();
  ImportedFile in_methods;
  in_methods.lines = std::move(method_lines_);
  in_methods.branches = std::move(method_branches_);
  std::erase_if(in_methods.lines, [&](const ImportedLine& line) { return more.has_line(line.line); });
  in_methods.settle();
  std::erase_if(in_methods.branches, [&](const ImportedBranch& branch) { return !in_methods.has_line(branch.line); });
  more.merge(in_methods);
  if (ImportedFile* file = names_.file(file_name_, places_of(file_name_))) {
    file->sources.insert("cobertura");
    file->merge(more);
  }
  lines_.clear();
  branches_.clear();
  functions_.clear();
  method_lines_.clear();
  method_branches_.clear();
  file_name_.clear();
  in_class_ = false;
}

/// Candidate files of a name: the name below each of the sources if that file exists, because the format does not tell
/// the source of a file. If there are several, the package may decide. Else the name below the current folder, for a
/// report that was made elsewhere, and below the folders here with names of the sources; else below the first source.
Places CoberturaReader::places_of(const std::string& name) const {
  std::vector<std::string> paths;
  for (const std::string& source : sources_) paths.push_back(input_path(name, source));
  Places found = names_.present(paths);
  if (found.empty()) {
    found = names_.places(name);
    if (sources_.empty()) return found;
    if (!names_.is_here(found[0])) return {input_path(name, sources_[0])};
    if (!names_.roots().empty()) return found;
    paths.assign(found.begin(), found.end());
    for (const std::string& source : sources_)
      for (size_t slash = source.find_first_not_of('/'); slash < source.size(); slash = source.find('/', slash) + 1) {
        paths.push_back(input_path(name, source.substr(slash)));
        if (source.find('/', slash) == std::string::npos) break;
      }
    found = names_.present(paths);
  }
  narrow(found, [&](const std::string& path) { return names_.is_below_root(path); });
  narrow(found, [&](const std::string& path) { return is_in_folder(path, folder_of(package_)); });
  return found;
}

}  // namespace qd::report
