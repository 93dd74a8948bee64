// Places of tests. Paths in a report start at the folder in which the tests were started: the current folder, the top
// of the working tree, or a folder above the report.
#include "report/check/test_places.h"

#include <algorithm>
#include <filesystem>

#include "report/analysis/kernels/kernel_definitions.h"
#include "report/analysis/source/regions.h"
#include "report/config/glob_matcher.h"
#include "runtime/syntax/parse.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLooks = 2000;  // largest number of file system look-ups for one class name

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Splits "tests.v1.2.test_a.TestB" into a module and classes, by the folders and files that exist. Names of folders
/// may have dots.
class ModuleSearch {
 public:
  explicit ModuleSearch(const std::string& class_name) : name_(class_name) {}

  /// Returns the path of the module, and the position in the name at which the classes begin.
  std::optional<std::pair<std::string, size_t>> find(const std::string& base, size_t begin = 0) {
    for (bool want_folder : {true, false}) {
      for (size_t end = name_.find('.', begin);; end = name_.find('.', end + 1)) {
        bool last = end == std::string::npos;
        if (++looks_ > kMaxLooks) return std::nullopt;
        std::string path = base + "/" + name_.substr(begin, last ? end : end - begin);
        std::error_code error;
        if (want_folder && !last && fs::is_directory(path, error))
          if (auto found = find(path, end + 1)) return found;
        if (!want_folder && is_file(path + ".py")) return std::pair(path + ".py", last ? name_.size() : end + 1);
        if (last) break;
      }
    }
    return std::nullopt;
  }

 private:
  const std::string& name_;
  int looks_ = 0;
};

}  // namespace

std::vector<std::string> TestPlaces::bases(const std::string& xml) const {
  std::vector<std::string> result = {absolute_path("."), input_.root};
  for (fs::path folder = fs::path(absolute_path(xml)).parent_path(); folder.string().starts_with(input_.root + "/");
       folder = folder.parent_path())
    result.push_back(folder.string());
  return result;
}

std::optional<std::string> TestPlaces::existing_file(const std::string& name, const std::string& xml) const {
  if (name.starts_with('/')) return is_file(name) ? std::optional(name) : std::nullopt;
  std::string below = name;
  while (below.starts_with("../")) below.erase(0, 3);  // a program that was started in a build folder
  for (const std::string& folder : bases(xml))
    if (is_file(folder + "/" + name)) return folder + "/" + name;
  return is_file(input_.root + "/" + below) ? std::optional(input_.root + "/" + below) : std::nullopt;
}

const std::optional<TestPlaces::Module>& TestPlaces::module_of(const std::string& class_name, const std::string& xml) {
  auto [entry, is_new] = modules_.try_emplace({fs::path(xml).parent_path().string(), class_name});
  if (!is_new || class_name.empty() || class_name.find('/') != std::string::npos ||
      class_name.find('\0') != std::string::npos)
    return entry->second;
  for (const std::string& folder : bases(xml)) {
    auto found = ModuleSearch(class_name).find(folder);
    if (!found) continue;
    entry->second = Module{found->first, class_name.substr(found->second)};
    break;
  }
  return entry->second;
}

const std::vector<TestPlaces::Definition>& TestPlaces::definitions(const std::string& path) {
  auto [entry, is_new] = definitions_.try_emplace(path);
  if (!is_new) return entry->second;
  std::optional<std::string> bytes = input_.read(path);
  syntax::ParseResult parsed = bytes ? syntax::parse(syntax::decode_source(*bytes)) : syntax::ParseResult();
  if (!parsed.module) return entry->second;
  for (const KernelDefinition& function : function_definitions(*parsed.module))
    entry->second.push_back({function.name, function.first_line, function.def_line});
  auto n_lines = static_cast<int32_t>(std::count(parsed.module->source.begin(), parsed.module->source.end(), '\n'));
  for (const CodeRegion& region : find_regions(*parsed.module, n_lines))
    if (region.kind == CodeRegion::Kind::Class) entry->second.push_back({region.name, region.start, region.start});
  return entry->second;
}

TestPlace TestPlaces::in_python(const std::string& path, const std::string& classes, const JunitTest& test) {
  std::string function = test.name.substr(0, test.name.find('['));
  if (size_t dot = function.rfind('.'); dot != std::string::npos)
    function = function.substr(dot + 1);  // a doctest: "test_a.Class.method"
  TestPlace place{input_.shown(path), 1, 1};
  for (std::string name = classes.empty() ? function : classes + "." + function; !name.empty();
       name = name.substr(0, std::min(name.rfind('.'), name.size()))) {
    // Python takes the last of several definitions; pytest's line, if there is one, tells them apart.
    const Definition* found = nullptr;
    for (const Definition& one : definitions(path))
      if (one.name == name && (!found || test.line < 0 ||
                               std::abs(one.first_line - 1 - test.line) <= std::abs(found->first_line - 1 - test.line)))
        found = &one;
    if (found) return {place.path, found->line, found->first_line};
    if (name.find('.') == std::string::npos) break;
  }
  if (test.line >= 0) place.line = place.first_line = test.line + 1;
  return place;
}

TestPlace TestPlaces::find(const JunitTest& test, const std::string& xml) {
  const std::optional<Module>& module = module_of(test.class_name, xml);
  if (!test.file.empty()) {
    if (std::optional<std::string> file = existing_file(test.file, xml)) {
      bool is_python = file->ends_with(".py");
      if (is_python)
        return in_python(*file, module && absolute_path(module->path) == absolute_path(*file) ? module->classes : "",
                         test);
      int32_t line = std::max(1, test.line);
      return {input_.shown(*file), line, line};
    }
  }
  if (module) return in_python(module->path, module->classes, test);
  return {input_.shown(xml), test.xml_line, test.xml_line};
}

}  // namespace qd::report
