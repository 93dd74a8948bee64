// Own objects "qd_cov" in coverage.py's JSON, for data that it has no place for: of a file, and of the totals.
#include "report/formats/machine/json_report.h"

namespace qd::report {

void write_json_gradients(PythonJson& json, const GradientNumbers& numbers, const FileGradients* file) {
  json.key("gradients");
  json.open('{');
  json.entry("lines", int64_t{numbers.n_lines});
  json.entry("differentiated", int64_t{numbers.n_differentiated()});
  if (file) write_json_numbers(json, "never_differentiated", file->missing);
  json.close('}');
}

/// Writes the coverage by each arch of the lines that it can run, and the statements of kernels that ran on one device
/// and never on another.
void JsonReport::write_archs(PythonJson& json, const std::vector<ArchCoverage>& archs, File& result) const {
  json.key("archs");
  json.open('{');
  for (const ArchCoverage& arch : archs) {
    AnalysisPart part = arch.part();
    result.archs.push_back(part.numbers);
    json.quoted_key(python_json_string(arch.arch));
    json.open('{');
    write_lines(json, part);
    write_branches(json, part);
    json.close('}');
  }
  json.close('}');
  json.key("arch_gaps");
  json.open('[');
  for (const ArchGap& gap : arch_gaps(archs)) {
    json.item();
    json.open('{');
    for (const auto& [name, devices] : {std::pair("on", &gap.on), std::pair("never", &gap.never)}) {
      json.key(name);
      json.open('[');
      for (const std::string& device : *devices) {
        json.item();
        json.raw(python_json_string(device));
      }
      json.close(']');
    }
    write_json_numbers(json, "lines", gap.lines);
    json.close('}');
  }
  json.close(']');
}

/// Writes conditions, gradients, coverage by arch, and the branches of an imported file, which are no pairs of lines.
void JsonReport::write_own(PythonJson& json, const AnalyzedFile& file, File& result) const {
  const bool has_branches = branches_ && file.analysis.imported;
  if (!config_.conditions && !config_.gradients && archs_.empty() && !has_branches) return;
  json.key("qd_cov");
  json.open('{');
  if (config_.conditions) write_json_conditions(json, result.conditions, &file.analysis.conditions.decisions);
  if (config_.gradients) write_json_gradients(json, result.gradients, &file.analysis.gradients);
  if (!archs_.empty()) write_archs(json, arch_coverage(file.analysis, *file.data, contexts_, archs_), result);
  if (has_branches) write_json_branches(json, file.analysis);
  json.close('}');
}

void JsonReport::write_own_totals() {
  if (!config_.conditions && !config_.gradients && archs_.empty()) return;
  json_.key("qd_cov");
  json_.open('{');
  if (config_.conditions) write_json_conditions(json_, total_.conditions, nullptr);
  if (config_.gradients) write_json_gradients(json_, total_.gradients, nullptr);
  if (!archs_.empty()) {
    json_.key("archs");
    json_.open('{');
    for (size_t i = 0; i < archs_.size(); ++i) {
      json_.quoted_key(python_json_string(archs_[i]));
      json_.open('{');
      write_summary(json_, "summary", total_archs_[i]);
      json_.close('}');
    }
    json_.close('}');
  }
  json_.close('}');
}

}  // namespace qd::report
