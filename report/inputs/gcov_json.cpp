// gcov JSON. A line of a template occurs once for each instance, and so do its branches: they are added up. Branches of
// different functions on one line (a lambda and the code around it) are kept apart by the starts of their functions.
#include "report/inputs/gcov_json.h"

#include <algorithm>
#include <unordered_map>

#include "report/data/function_names.h"
#include "report/inputs/input_file.h"
#include "report/inputs/json_values.h"

namespace qd::report {

using nlohmann::json;

namespace {

/// Block number of a function's branches on a line: differs between functions, and is the same for the instances of a
/// template and in every translation unit.
int32_t block_of(int32_t first_line, int32_t first_column, int32_t line) {
  constexpr int32_t kColumns = 4096;
  int32_t distance = std::clamp(line - first_line, 0, (1 << 19) - 1);
  return distance * kColumns + std::min(first_column, kColumns - 1);
}

const json& either(const json& object, const char* key, const char* other) {
  return object.is_object() && object.contains(key) ? object[key] : member(object, other);
}

}  // namespace

void GcovJson::add_file(const json& file) {
  const std::string file_name = text_of(file, "file");
  if (file_name.empty()) input_.skip("", "a file has no name");
  ImportedFile& result = files_[file_name];
  auto line_of = [&](const json& value) { return report::line_of(value, input_, file_name); };
  struct Begin {
    int32_t line = 0, column = 0;
    int64_t instance = -1;  // index of the function, if it may be an instantiation
  };
  std::unordered_map<std::string, Begin> begins;
  for (const json& function : optional_list_of(file, "functions")) {
    // gcovr has had "lineno", and gives 0 for a line that it does not know.
    int32_t first = line_of(either(function, "start_line", "lineno"));
    int32_t last = function.contains("end_line") ? line_of(function["end_line"]) : 0;
    std::string name = optional_text_of(function, "name"), shown = optional_text_of(function, "demangled_name");
    Begin begin{first, function.contains("start_column") ? line_of(function["start_column"]) : 0};
    if (first > 0 && may_be_instance(shown)) begin.instance = static_cast<int64_t>(result.functions.size());
    if (!name.empty()) begins[name] = begin;
    if (first > 0)
      result.functions.push_back({first, last < first ? 0 : last, shown.empty() ? name : shown,
                                  function.contains("execution_count") ? count_of(function["execution_count"]) : 0});
  }
  for (const json& line : list_of(file, "lines")) {
    const int32_t number = line_of(member(line, "line_number"));
    if (number == 0) continue;
    bool excluded = (line.contains("gcovr/excluded") && truth_of(line["gcovr/excluded"])) ||
                    (line.contains("gcovr/noncode") && truth_of(line["gcovr/noncode"]));
    if (excluded) continue;
    uint64_t hits = count_of(member(line, "count"));
    result.lines.push_back({number, hits});
    auto begin = begins.find(optional_text_of(line, "function_name"));
    if (begin != begins.end() && begin->second.instance >= 0)
      result.functions[static_cast<size_t>(begin->second.instance)].lines.push_back({number, hits});
    const json& branches = optional_list_of(line, "branches");
    if (branches.empty()) continue;
    int32_t block = begin == begins.end() ? 0 : block_of(begin->second.line, begin->second.column, number);
    for (size_t i = 0; i < branches.size(); ++i) {
      const json& branch = branches[i];
      if (branch.is_object() && branch.contains("gcovr/excluded") && truth_of(branch["gcovr/excluded"])) continue;
      bool thrown = branch.contains("throw") && truth_of(branch["throw"]);
      ImportedBranch& added = result.branches.emplace_back();
      added.line = number;
      added.block = block;
      added.number = static_cast<int32_t>(i);
      added.text = thrown ? ImportedBranch::kException : "";
      uint64_t taken = count_of(member(branch, "count"));
      if (hits > 0 || taken > 0) added.taken = taken;
    }
  }
}

void GcovJson::move_to(FileNames& names, const std::string& folder, const std::string& source) {
  for (auto& [name, file] : files_) {
    file.sources.insert(source);
    file.settle();
    Places places = folder.empty() ? names.places(name) : Places{input_path(name, folder)};
    if (!names.roots().empty() && !names.is_here(places[0]))
      if (Places below = names.places(name); names.is_here(below[0])) places = std::move(below);
    ImportedFile* target = names.file(name, places);
    if (target) target->merge(file);
  }
}

}  // namespace qd::report
