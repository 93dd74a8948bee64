// Branches of an imported file within "qd_cov", in the words of the input:
//
//   "branches": [{line, block, number, text, taken}]
//
// "taken" is null if the branch's decision was never evaluated.
#include "report/formats/machine/json_report.h"

namespace qd::report {

void write_json_branches(PythonJson& json, const Analysis& analysis) {
  json.key("branches");
  json.open('[');
  for (const auto& [line, stats] : analysis.branch_stats) {
    for (const ImportedBranch& branch : analysis.imported->branches_of(line)) {
      json.item();
      json.open('{');
      json.entry("line", int64_t{branch.line});
      json.entry("block", int64_t{branch.block});
      json.entry("number", int64_t{branch.number});
      json.entry("text", branch.text);
      json.key("taken");
      if (branch.taken)
        json.raw(std::to_string(*branch.taken));
      else
        json.raw("null");
      json.close('}');
    }
  }
  json.close(']');
}

}  // namespace qd::report
