// Cobertura report. Its elements, with their attributes:
//
//   <coverage version timestamp lines-valid lines-covered line-rate branches-... complexity>
//     <sources><source>
//     <packages><package name line-rate branch-rate complexity>
//       <classes><class name filename complexity line-rate branch-rate>
//         <methods/>
//         <lines><line number hits [branch condition-coverage] [missing-branches]/>
#include "report/formats/machine/xml_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "report/config/glob_matcher.h"
#include "report/data/utf8.h"
#include "report/formats/common/human_order.h"
#include "report/formats/common/text.h"

namespace qd::report {

namespace {

/// Rate hit/num to four digits; "0" and "1" only when exact; "1" when there is nothing.
std::string rate(int64_t hit, int64_t num) {
  if (hit == num) return "1";
  if (hit == 0) return "0";
  double share = std::clamp(static_cast<double>(hit) / static_cast<double>(num), 0.0001, 0.9999);
  return fmt::format("{:.4g}", share);
}

/// os.path.dirname of Python.
std::string folder_of(const std::string& path) {
  std::string head = path.substr(0, path.find_last_of('/') + 1);
  size_t last = head.find_last_not_of('/');
  return last == std::string::npos ? head : head.substr(0, last + 1);
}

/// Cuts a folder to its first `depth` parts or, for a negative depth, to all but the last `-depth`.
std::string cut_folder(const std::string& folder, int depth) {
  int parts = static_cast<int>(std::count(folder.begin(), folder.end(), '/')) + 1;
  int kept = depth >= 0 ? std::min(depth, parts) : std::max(parts + depth, 0);
  if (kept == parts) return folder;
  size_t end = 0;
  for (int i = 0; i < kept; ++i) end = folder.find('/', end) + 1;
  return folder.substr(0, end == 0 ? 0 : end - 1);
}

std::vector<std::string> absolute_parts(const std::string& path, const std::string& here) {
  std::vector<std::string> parts;
  for (const auto& part : std::filesystem::path(path.starts_with('/') ? path : here + "/" + path).lexically_normal())
    if (std::string text = part.string(); !text.empty() && text != "/") parts.push_back(std::move(text));
  return parts;
}

/// os.path.relpath of Python.
std::string relative_path(const std::string& path, const std::string& start, const std::string& here) {
  std::vector<std::string> to = absolute_parts(path, here), from = absolute_parts(start, here);
  size_t common = 0;
  while (common < std::min(to.size(), from.size()) && to[common] == from[common]) ++common;
  std::string result;
  for (size_t i = common; i < from.size(); ++i) result += "../";
  for (size_t i = common; i < to.size(); ++i) result += to[i] + "/";
  if (result.empty()) return ".";
  result.pop_back();
  return result;
}

/// `path` without as many characters at its end as `name` has, and without slashes at its new end.
std::string without_name(std::string path, const std::string& name) {
  for (size_t n = n_characters(name); n > 0 && !path.empty(); --n) path.resize(character_start(path, path.size() - 1));
  path.erase(path.find_last_not_of("/\\") + 1);
  return path;
}

std::string slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

template <typename Map>
std::vector<const typename Map::value_type*> human_sorted(const Map& map) {
  std::vector<const typename Map::value_type*> result;
  for (const auto& entry : map) result.push_back(&entry);
  std::sort(result.begin(), result.end(), [](auto* a, auto* b) { return human_less(a->first, b->first); });
  return result;
}

void add_line(std::string& out, const ReportedLine& line) {
  append_number(out += "\t\t\t\t\t\t<line number=\"", line.line);
  append_number(out += "\" hits=\"", line.hits);
  out += '"';
  if (line.branches) {
    const auto [total, taken] = *line.branches;
    append_number(out += " branch=\"true\" condition-coverage=\"", 100 * int64_t{taken} / total);
    append_number(out += "% (", taken);
    append_number(out += '/', total);
    out += ")\"";
  }
  if (line.never_taken) {
    out += " missing-branches=\"";
    for (int32_t to : *line.never_taken) {
      if (to < 0)
        out += "exit";
      else
        append_number(out, to);
      out += ',';
    }
    out.back() = '"';
  }
  out += "/>\n";
}

}  // namespace

XmlReport::XmlReport(const Config& config, bool branches)
    : config_(config), branches_(branches), here_(absolute_path(".")) {
  for (std::string source : config.source.value_or(StringList{})) {
    if (!std::filesystem::exists(source)) continue;
    if (config.relative_files)
      source.erase(source.find_last_not_of("/\\") + 1);
    else
      source = absolute_path(source);
    if (sources_.insert(source).second) configured_.push_back(source);
  }
  std::sort(configured_.begin(), configured_.end(),
            [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
}

RenderedFile XmlReport::render(const AnalyzedFile& analyzed) const {
  const Analysis& analysis = analyzed.analysis;
  RenderedFile result(analyzed);
  std::string& out = result.text;
  out.reserve(analysis.source.statements.size() * 48 + 128);
  out += "\t\t\t\t\t<methods/>\n";
  if (analysis.source.statements.empty()) {
    out += "\t\t\t\t\t<lines/>\n";
    return result;
  }
  out += "\t\t\t\t\t<lines>\n";
  walk_lines(analysis, [&](const ReportedLine& line) { add_line(out, line); });
  out += "\t\t\t\t\t</lines>\n";
  return result;
}

std::string XmlReport::relative_name(const ReportedFile& file) {
  std::string path = slashes(file.path);
  auto holds_file = [&](const std::string& source) {
    const std::string& folder = source.empty() && !config_.relative_files ? here_ : source;
    return path.size() > folder.size() && path[folder.size()] == '/' && path.starts_with(slashes(folder))
               ? folder.size()
               : std::string::npos;
  };
  // coverage.py takes any of the sources that have the file. Of configured ones inside each other, the outermost is
  // taken: names below it are distinct.
  for (const std::string& source : configured_)
    if (size_t size = holds_file(source); size != std::string::npos) return path.substr(size + 1);
  for (const std::string& source : sources_)
    if (size_t size = holds_file(source); size != std::string::npos) return path.substr(size + 1);
  std::string name = slashes(file.relative);
  sources_.insert(without_name(file.path, name));
  return name;
}

std::string XmlReport::rates(const Numbers& numbers) const {
  return fmt::format("line-rate=\"{}\" branch-rate=\"{}\"", rate(numbers.n_executed(), numbers.n_statements),
                     branches_ ? rate(numbers.n_executed_branches(), numbers.n_branches) : "0");
}

void XmlReport::add(RenderedFile&& file) {
  const bool is_skipped = config_.skip_empty && file.numbers.n_statements == 0;
  if (is_skipped) file.numbers = {};
  total_.add(file);
  if (is_skipped) return;
  std::string name = printable(relative_name(*file.file));
  std::string folder = folder_of(name);
  if (folder.empty()) folder = ".";
  std::string cut = cut_folder(folder, config_.xml_package_depth);
  std::string package_name = cut;
  std::replace(package_name.begin(), package_name.end(), '/', '.');

  Package& package = packages_[package_name];
  package.numbers += file.numbers;
  std::string start =
      fmt::format("\t\t\t\t<class name=\"{}\" filename=\"{}\" complexity=\"0\" {}>\n",
                  escape_xml(relative_path(name, cut, here_)), escape_xml(slashes(name)), rates(file.numbers));
  package.classes[name] = {std::move(start), std::move(file.text)};
}

double XmlReport::percent() const {
  return total_.numbers.n_statements + total_.numbers.n_branches == 0 ? 0 : total_.numbers.pc_covered();
}

void XmlReport::write(const std::string& version, int64_t milliseconds,
                      const std::function<void(std::string_view)>& out) const {
  const Numbers& total = total_.numbers;
  out("<?xml version=\"1.0\" ?>\n");
  out(fmt::format("<coverage version=\"{}\" timestamp=\"{}\" lines-valid=\"{}\" lines-covered=\"{}\" line-rate=\"{}\"",
                  escape_xml(version), milliseconds, total.n_statements, total.n_executed(),
                  rate(total.n_executed(), total.n_statements)));
  if (branches_)
    out(fmt::format(" branches-valid=\"{}\" branches-covered=\"{}\" branch-rate=\"{}\"", total.n_branches,
                    total.n_executed_branches(), rate(total.n_executed_branches(), total.n_branches)));
  else
    out(" branches-covered=\"0\" branches-valid=\"0\" branch-rate=\"0\"");
  out(fmt::format(" complexity=\"0\">\n\t<!-- Generated by qd-cov {} -->\n", escape_xml(version)));
  out("\t<!-- Based on https://raw.githubusercontent.com/cobertura/web/master/htdocs/xml/coverage-04.dtd -->\n");

  std::vector<std::string> sources(sources_.begin(), sources_.end());
  std::sort(sources.begin(), sources.end(), human_less);
  out(sources.empty() ? "\t<sources/>\n" : "\t<sources>\n");
  for (const std::string& source : sources)
    out(fmt::format("\t\t<source>{}</source>\n", escape_xml(printable(source))));
  if (!sources.empty()) out("\t</sources>\n");

  out(packages_.empty() ? "\t<packages/>\n" : "\t<packages>\n");
  for (const auto* package : human_sorted(packages_)) {
    out(fmt::format("\t\t<package name=\"{}\" {} complexity=\"0\">\n\t\t\t<classes>\n", escape_xml(package->first),
                    rates(package->second.numbers)));
    for (const auto* entry : human_sorted(package->second.classes)) {
      out(entry->second.first);
      out(entry->second.second);
      out("\t\t\t\t</class>\n");
    }
    out("\t\t\t</classes>\n\t\t</package>\n");
  }
  if (!packages_.empty()) out("\t</packages>\n");
  out("</coverage>\n");
}

}  // namespace qd::report
