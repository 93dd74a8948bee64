// The lines of Clover's XML, and what their counts mean:
//
//   <coverage clover="4.4"><project><package name="p">
//     <file name="A.java" path="/src/p/A.java">
//       <line num="3" type="method" signature="f(int) : void" count="2"/>      in PHPUnit's, name="f"
//       <line num="4" type="stmt" count="2"/>
//       <line num="5" type="cond" truecount="2" falsecount="0"/>               OpenClover
//       <line num="6" type="cond" count="2" truecount="1" falsecount="3"/>     Istanbul
//
// OpenClover says how often a condition was true, and how often it was false. Istanbul says how many branches of the
// line were taken (truecount), and how many were not (falsecount).
//
// Files may also stand outside of packages. Of several statements on one line, the least count is taken, so that one
// that did not run shows.
#include "report/inputs/clover.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace qd::report {
namespace {

/// "f(int)" of "f(int) : void".
std::string function_name(const XmlAttributes& attributes) {
  std::string signature = attributes.text("signature");
  return signature.empty() ? attributes.text("name") : signature.substr(0, signature.find(" :"));
}

}  // namespace

void CloverReader::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "project" || name == "testproject") {
    seen_project_ = true;
  } else if (name == "file") {
    if (!path_.empty()) return xml_.stop("a <file> within another");
    std::string path = attributes.text("path");
    if (path.empty()) path = attributes.text("name");
    if (path.empty()) return xml_.stop("a <file> has neither path nor name");
    path_ = input_path(path);
  } else if (name == "line") {
    line(attributes);
  }
}

void CloverReader::end(std::string_view name) {
  if (name == "file") end_file();
}

void CloverReader::finish() const {
  if (!seen_project_) xml_.fail("there is no <project> in it");
}

std::optional<int64_t> CloverReader::count(const XmlAttributes& attributes, const char* name) {
  const char* text = attributes.find(name);
  std::optional<int64_t> value = whole_number<int64_t>(text);
  if (!value) xml_.stop(fmt::format("'{}' is no {}", text ? text : "", name));
  return value ? std::optional(std::max<int64_t>(*value, 0)) : std::nullopt;
}

void CloverReader::line(const XmlAttributes& attributes) {
  if (path_.empty()) return xml_.stop("a <line> outside of a <file>");
  const char* number_text = attributes.find("num");
  std::optional<int32_t> number = whole_number<int32_t>(number_text);
  if (!number || *number < 0 || *number > kMaxImportedLine)
    return xml_.stop(fmt::format("'{}' is no line number", number_text ? number_text : ""));
  std::string type = attributes.text("type");
  if (type != "stmt" && type != "method" && type != "cond")
    return xml_.stop(fmt::format("'{}' is no type of a line", type));
  bool counts = type != "cond" || attributes.find("count");
  std::optional<int64_t> hits = counts ? count(attributes, "count") : 0;
  if (!hits || *number == 0) return;
  if (counts) {
    auto [known, is_new] = least_.emplace(*number, *hits);
    if (!is_new) known->second = std::min(known->second, static_cast<uint64_t>(*hits));
  }
  if (type == "method")
    file_.functions.push_back({*number, 0, function_name(attributes), static_cast<uint64_t>(*hits)});
  if (type == "cond") condition(*number, attributes);
}

void CloverReader::condition(int32_t number, const XmlAttributes& attributes) {
  bool of_branches = attributes.find("count") != nullptr;
  if (of_branches && !attributes.find("truecount") && !attributes.find("falsecount")) return;
  std::optional<int64_t> when_true = count(attributes, "truecount");
  std::optional<int64_t> when_false = when_true ? count(attributes, "falsecount") : std::nullopt;
  if (!when_false) return;
  if (!of_branches) {
    int32_t block = conditions_[number]++;
    bool evaluated = *when_true > 0 || *when_false > 0;
    auto taken = [&](int64_t times) { return evaluated ? std::optional(static_cast<uint64_t>(times)) : std::nullopt; };
    file_.branches.push_back({number, block, 0, "true", taken(*when_true)});
    file_.branches.push_back({number, block, 1, "false", taken(*when_false)});
    uint64_t& decided = decided_[number];
    decided = std::max({decided, static_cast<uint64_t>(*when_true), static_cast<uint64_t>(*when_false)});
    return;
  }
  if (*when_true > kMaxBranches || *when_false > kMaxBranches)
    return xml_.stop(fmt::format("{} are too many branches of a line", std::max(*when_true, *when_false)));
  append_counted_branches(file_.branches, {number, least_.at(number)}, static_cast<int>(*when_true),
                          static_cast<int>(*when_true + *when_false));
}

void CloverReader::end_file() {
  for (const auto& [number, hits] : decided_) least_.emplace(number, hits);
  for (const auto& [number, hits] : least_) file_.lines.push_back({number, hits});
  file_.sources.insert("clover");
  file_.settle();
  ImportedFile& file = data_.imported[path_];
  file.sources.insert("clover");
  file.merge(file_);
  file_ = {};
  least_.clear();
  decided_.clear();
  conditions_.clear();
  path_.clear();
}

}  // namespace qd::report
