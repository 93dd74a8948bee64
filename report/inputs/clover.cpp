// Clover XML: its lines, and the meaning of their counts:
//
//   <coverage clover="4.4"><project><package name="p">
//     <file name="A.java" path="/src/p/A.java">
//       <line num="3" type="method" signature="f(int) : void" count="2"/>      in PHPUnit's, name="f"
//       <line num="4" type="stmt" count="2"/>
//       <line num="5" type="cond" truecount="2" falsecount="0"/>               OpenClover
//       <line num="6" type="cond" count="2" truecount="1" falsecount="3"/>     Istanbul
//
// In OpenClover's, truecount and falsecount are the numbers of times that a condition was true and false. In
// Istanbul's, they are the numbers of branches of the line that were taken and not taken.
//
// Files may also stand outside of packages. Of several statements on one line, the smallest count is used, so that a
// statement that did not run shows.
#include "report/inputs/clover.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

namespace qd::report {
namespace {

/// Name in a signature: "f(int)" for "f(int) : void".
std::string function_name(const XmlAttributes& attributes) {
  std::string signature = attributes.text("signature");
  return signature.empty() ? attributes.text("name") : signature.substr(0, signature.find(" :"));
}

}  // namespace

void CloverReader::start(std::string_view name, const XmlAttributes& attributes) {
  if (name == "project" || name == "testproject") {
    seen_project_ = true;
  } else if (name == "file") {
    if (in_file_) return xml_.stop("a <file> within another");
    in_file_ = true;
    name_ = attributes.text("path");
    if (name_.empty()) name_ = attributes.text("name");
    if (name_.empty()) xml_.skip("a <file> has neither path nor name");
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

std::optional<uint64_t> CloverReader::count(const XmlAttributes& attributes, const char* name) {
  const char* text = attributes.find(name);
  const std::optional<uint64_t> value = hit_count(text ? text : "");
  if (!value) xml_.stop(fmt::format("'{}' is no {}", text ? text : "", name));
  return value;
}

void CloverReader::line(const XmlAttributes& attributes) {
  if (!in_file_) return xml_.stop("a <line> outside of a <file>");
  const std::optional<int32_t> number = xml_.line_number(attributes.find("num"));
  if (!number) return;
  std::string type = attributes.text("type");
  if (type != "stmt" && type != "method" && type != "cond")
    return xml_.stop(fmt::format("'{}' is no type of a line", type));
  bool counts = type != "cond" || attributes.find("count");
  const std::optional<uint64_t> hits = counts ? count(attributes, "count") : 0;
  if (!hits || *number == 0) return;
  if (counts) {
    auto [known, is_new] = least_.emplace(*number, *hits);
    if (!is_new) known->second = std::min(known->second, *hits);
  }
  if (type == "method") file_.functions.push_back({*number, 0, function_name(attributes), *hits});
  if (type == "cond") condition(*number, attributes);
}

void CloverReader::condition(int32_t number, const XmlAttributes& attributes) {
  bool of_branches = attributes.find("count") != nullptr;
  if (of_branches && !attributes.find("truecount") && !attributes.find("falsecount")) return;
  const std::optional<uint64_t> when_true = count(attributes, "truecount");
  const std::optional<uint64_t> when_false = when_true ? count(attributes, "falsecount") : std::nullopt;
  if (!when_false) return;
  if (!of_branches) {
    int32_t block = conditions_[number]++;
    bool evaluated = *when_true > 0 || *when_false > 0;
    auto taken = [&](uint64_t times) { return evaluated ? std::optional(times) : std::nullopt; };
    file_.branches.push_back({number, block, 0, "true", taken(*when_true)});
    file_.branches.push_back({number, block, 1, "false", taken(*when_false)});
    uint64_t& decided = decided_[number];
    decided = std::max({decided, *when_true, *when_false});
    return;
  }
  const bool is_negative = *attributes.find("truecount") == '-' || *attributes.find("falsecount") == '-';
  const double taken = is_negative ? -1 : static_cast<double>(*when_true);
  if (!append_counted_branches(file_.branches, {number, least_.at(number)}, taken,
                               taken + static_cast<double>(*when_false)))
    xml_.skip(fmt::format("truecount=\"{}\" falsecount=\"{}\" can be of no branches", attributes.text("truecount"),
                          attributes.text("falsecount")));
}

void CloverReader::end_file() {
  for (const auto& [number, hits] : decided_) least_.emplace(number, hits);
  for (const auto& [number, hits] : least_) file_.lines.push_back({number, hits});
  file_.sources.insert("clover");
  file_.settle();
  if (ImportedFile* file = names_.file(name_)) {
    file->sources.insert("clover");
    file->merge(file_);
  }
  file_ = {};
  least_.clear();
  decided_.clear();
  conditions_.clear();
  name_.clear();
  in_file_ = false;
}

}  // namespace qd::report
