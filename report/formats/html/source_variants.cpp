// Variants of kernels, funcs and templates in the data of a file.
#include "report/formats/html/source_json_parts.h"

#include <fmt/format.h>

#include "report/analysis/kernels/variants.h"
#include "report/formats/common/text.h"
#include "report/formats/html/page_data.h"
#include "report/formats/html/source_runs.h"

namespace qd::report {
namespace {

/// Appends missing statements as ranges that break at statements only.
void append_missing(std::string& out, const VariantCoverage& variant) {
  JsonRanges ranges(out);
  auto ran = variant.executed.begin();
  for (int32_t line : variant.missing) {
    for (; ran != variant.executed.end() && *ran < line; ++ran) ranges.end_range();
    ranges.take(line);
  }
  ranges.finish();
}

void append_variant(std::string& out, const VariantCoverage& variant) {
  out += out.back() == '[' ? "[" : ",[";
  append_script_json(out, displayed(variant.name));
  out += fmt::format(",\"{}\",", variant.arch);
  if (variant.kernel.empty())
    out += std::to_string(browser_number(variant.runs));
  else
    append_script_json(out, displayed(variant.kernel));
  if (variant.has_lines) {
    out += fmt::format(",{},{},{},{},", variant.executed.size(), variant.executed.size() + variant.missing.size(),
                       variant.taken, variant.branches);
    append_missing(out, variant);
  }
  out += ']';
}

}  // namespace

void append_variants(std::string& out, const Analysis& analysis, size_t n_lines) {
  bool any = false;
  for (const FunctionVariants& function : function_variants(analysis)) {
    if (function.line < 1 || static_cast<size_t>(function.line) > n_lines) continue;
    out += any ? "," : ",\"variants\":[";
    out += fmt::format("[{},{},[", function.line, static_cast<int>(function.kind));
    for (const VariantCoverage& variant : function.variants) append_variant(out, variant);
    out += "]]";
    any = true;
  }
  if (any) out += ']';
}

}  // namespace qd::report
