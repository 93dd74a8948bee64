// Variants of functions. Those of kernels and funcs come from our own tables; instantiations of templates are functions
// of an imported file that begin on one line and have one name but for the text in angle brackets.
#include "report/analysis/kernels/variants.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "report/data/function_names.h"

namespace qd::report {

namespace {

/// True for a statement that is in `all`, which is sorted.
bool is_in(const std::vector<int32_t>& all, int32_t line) { return std::binary_search(all.begin(), all.end(), line); }

VariantCoverage of_kernel(const Analysis& analysis, const KernelProbes& kernel, const VariantName& name,
                          const std::string& arch, const KernelVariant& variant) {
  VariantCoverage result{name.arguments, arch, name.kernel, variant.launches, true, {}, {}, 0, 0};
  std::set<int32_t> executed, missing;
  for (const Arc& arc : variant.measured) {
    const bool taken = variant.taken.contains(arc);
    if (!is_line(arc)) {
      if (!analysis.branch_stats.contains(arc.from)) continue;
      ++result.branches;
      result.taken += taken ? 1 : 0;
    } else if (arc.to >= kernel.source.body_line && arc.to <= kernel.source.last_line &&
               is_in(analysis.source.statements, arc.to)) {
      (taken ? executed : missing).insert(arc.to);
    }
  }
  result.executed.assign(executed.begin(), executed.end());
  std::set_difference(missing.begin(), missing.end(), executed.begin(), executed.end(),
                      std::back_inserter(result.missing));
  return result;
}

VariantCoverage of_function(const ImportedFunction& function) {
  VariantCoverage result{demangled(function.name), "", "", function.hits, !function.lines.empty(), {}, {}, 0, 0};
  for (const ImportedLine& line : function.lines)
    (line.hits > 0 ? result.executed : result.missing).push_back(line.line);
  return result;
}

/// Covered share of a variant's statements and branches, 0 to 1; by its calls where it has none.
double share(const VariantCoverage& variant) {
  const auto all = static_cast<double>(variant.executed.size() + variant.missing.size()) + variant.branches;
  if (all == 0) return variant.runs > 0 ? 1 : 0;
  return (static_cast<double>(variant.executed.size()) + variant.taken) / all;
}

void add(std::vector<FunctionVariants>& all, FunctionVariants function) {
  if (function.variants.size() < 2) return;
  std::stable_sort(function.variants.begin(), function.variants.end(),
                   [](const auto& a, const auto& b) { return share(a) < share(b); });
  all.push_back(std::move(function));
}

}  // namespace

std::vector<FunctionVariants> function_variants(const Analysis& analysis) {
  std::vector<FunctionVariants> result;
  for (const KernelProbes& kernel : analysis.kernels.functions) {
    using Kind = FunctionVariants::Kind;
    FunctionVariants function{kernel.source.def_line, kernel.source.is_kernel ? Kind::Kernel : Kind::Func, {}};
    std::set<VariantName> names;
    for (const auto& [arch, probes] : kernel.archs) {
      for (const auto& [name, variant] : probes.variants) {
        if (name == VariantName{}) continue;
        names.insert(name);
        function.variants.push_back(of_kernel(analysis, kernel, name, arch, variant));
      }
    }
    // A func that is the same on several devices has no variants: reports tell devices apart elsewhere.
    if (function.kind == Kind::Kernel || names.size() > 1) add(result, std::move(function));
  }
  if (!analysis.imported) return result;
  std::map<std::pair<int32_t, std::string>, FunctionVariants> templates;
  for (const ImportedFunction& function : analysis.imported->functions) {
    FunctionVariants& found = templates[{function.first_line, template_name(demangled(function.name))}];
    found.line = function.first_line;
    found.variants.push_back(of_function(function));
  }
  for (auto& [place, function] : templates) add(result, std::move(function));
  return result;
}

std::map<std::string, uint64_t> launches(const KernelProbes& kernel) {
  std::map<std::string, uint64_t> result;
  for (const auto& [arch, probes] : kernel.archs) {
    uint64_t sum = 0;
    for (const auto& [name, variant] : probes.variants)
      sum += std::min(variant.launches, std::numeric_limits<uint64_t>::max() - sum);
    if (sum > 0) result[arch] = sum;
  }
  return result;
}

}  // namespace qd::report
