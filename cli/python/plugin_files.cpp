// Plugin files: asks about files that plugins measured, and reads the answers.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/python/plugin_process.h"
#include "cli/python/plugins.h"
#include "report/analysis/plugin_file.h"
#include "report/data/numbits.h"
#include "report/engine/chosen_contexts.h"

namespace qd::cli {

namespace {

using Json = nlohmann::json;
using report::Arc;
using report::PluginFile;

std::vector<int32_t> lines_in(const Json& answer, const char* name) {
  return answer.value(name, std::vector<int32_t>());
}

std::vector<Arc> arcs_in(const Json& answer, const char* name) {
  std::vector<Arc> arcs;
  if (auto found = answer.find(name); found != answer.end())
    for (const Json& arc : *found) arcs.push_back({arc.at(0).get<int32_t>(), arc.at(1).get<int32_t>()});
  return arcs;
}

void read_regions(const Json& answer, PluginFile& file) {
  if (!answer.contains("regions")) return;
  for (const Json& region : answer.at("regions")) {
    const std::string kind = region.at(0);
    file.regions.emplace_back(
        kind, report::CodeRegion{kind == "class" ? report::CodeRegion::Kind::Class : report::CodeRegion::Kind::Function,
                                 region.at(1), region.at(2), region.at(3)});
  }
  for (const Json& kind : answer.at("region_kinds")) file.region_kinds.emplace_back(kind.at(0), kind.at(1));
}

void read_answer(const Json& answer, PluginFile& file) {
  PluginFile result;
  result.path = file.path;
  result.relative = file.relative;
  result.asked_as = file.asked_as;
  if (answer.contains("error")) {
    result.failure.emplace(answer.at("error").get<std::string>(), answer.value("traceback", ""));
    file = std::move(result);
    return;
  }
  result.statements = lines_in(answer, "statements");
  result.excluded = lines_in(answer, "excluded");
  result.executed = lines_in(answer, "executed");
  result.no_branch = lines_in(answer, "no_branch");
  result.arcs = arcs_in(answer, "arcs");
  result.executed_arcs = arcs_in(answer, "executed_arcs");
  for (Arc exits : arcs_in(answer, "exit_counts")) result.exit_counts.emplace_back(exits.from, exits.to);
  for (Arc moved : arcs_in(answer, "moved")) result.moved.emplace_back(moved.from, moved.to);
  if (auto found = answer.find("descriptions"); found != answer.end())
    for (const Json& sentences : *found)
      result.descriptions[{sentences.at(0).get<int32_t>(), sentences.at(1).get<int32_t>()}] = {sentences.at(2),
                                                                                               sentences.at(3)};
  read_regions(answer, result);
  if (auto text = answer.find("text"); text != answer.end()) result.text = text->get<std::string>();
  file = std::move(result);
}

/// Data of a file, in the form in which coverage.py gives it to a reporter.
Json measured_in(const report::CoverageData& data, const std::string& name,
                 const std::optional<std::set<report::ContextId>>& contexts) {
  Json question = {{"lines", Json::array()}, {"arcs", nullptr}};
  auto found = data.files.find(name);
  const report::FileData none;
  const report::FileData& file = found == data.files.end() ? none : found->second;
  report::Numbits lines;
  std::set<Arc> arcs;
  for (const auto& [context, its_lines] : file.lines)
    if (!contexts || contexts->contains(context)) lines.merge(its_lines);
  for (const auto& [context, its_arcs] : file.arcs) {
    if (contexts && !contexts->contains(context)) continue;
    report::add_lines_of(its_arcs, lines);
    arcs.insert(its_arcs.begin(), its_arcs.end());
  }
  question["lines"] = lines.lines();
  if (!data.has_branches(file)) return question;
  question["arcs"] = Json::array();
  for (Arc arc : arcs) question["arcs"].push_back({arc.from, arc.to});
  return question;
}

}  // namespace

void find_plugin_files(report::CoverageData& data, const report::Config& config,
                       const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, report::FileData*>> traced;
  auto add = [&](const std::string& name) {
    auto found = data.files.find(name);
    if (found == data.files.end()) found = data.files.find(report::name_in_data(name, config));
    if (found != data.files.end() && !found->second.tracer.empty() && !found->second.plugin)
      traced.emplace_back(found->first, &found->second);
  };
  for (const std::string& name : names) add(name);
  if (names.empty())
    for (const auto& [name, file] : data.files) add(name);
  if (traced.empty()) return;
  if (config.plugins.empty())
    throw std::runtime_error(
        fmt::format("'{}' was measured by the plugin '{}' of coverage.py, and [run] plugins names none: without it the "
                    "file can't be reported.",
                    traced[0].first, traced[0].second->tracer));
  Json question = {{"ask", "find_reporters"}, {"files", Json::array()}};
  for (const auto& [name, file] : traced) question["files"].push_back({name, file->tracer});
  const Json answer = ask_plugins(config, question);
  throw_failure_in(answer);
  for (size_t i = 0; i < traced.size(); ++i) {
    const Json& reporter = answer.at("reporters").at(i);
    report::FileData& file = *traced[i].second;
    if (reporter.is_null()) {
      file.tracer.clear();  // the plugin, too, takes it for Python
      continue;
    }
    file.plugin = std::make_shared<PluginFile>();
    file.plugin->path = reporter.at(0);
    file.plugin->relative = reporter.at(1);
    file.plugin->asked_as = traced[i].first;
  }
}

void analyze_plugin_files(const report::CoverageData& data, const report::Config& config,
                          const std::vector<report::ReportedFile>& files, report::AnalysisNeeds needs) {
  const auto contexts = report::chosen_contexts(data, config.report_contexts);
  for (const report::ReportedFile& file : files) {
    if (!file.plugin) continue;
    Json question = measured_in(data, file.data_name, contexts);
    question["ask"] = "analyze";
    question["name"] = file.plugin->asked_as;
    question["descriptions"] = needs.descriptions;
    question["regions"] = needs.regions;
    question["text"] = needs.text;
    read_answer(ask_plugins(config, question), *file.plugin);
  }
}

}  // namespace qd::cli
