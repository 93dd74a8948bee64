#include "runtime/codegen/nvptx/ptxas_faults.h"

#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace qd::codegen::nvptx {
namespace {

/// An unsigned comparison by its other name.
std::optional<std::string> comparison(std::string_view instruction) {
  constexpr std::string_view kCompare = "setp.";
  static constexpr std::array<std::array<std::string_view, 2>, 4> kNames{
      {{"lt", "lo"}, {"le", "ls"}, {"gt", "hi"}, {"ge", "hs"}}};
  if (!instruction.starts_with(kCompare)) return {};
  const std::string_view rest = instruction.substr(kCompare.size());
  for (const auto& [signed_name, name] : kNames) {
    if (rest.starts_with(signed_name) && rest.substr(signed_name.size()).starts_with(".u"))
      return fmt::format("{}{}{}", kCompare, name, rest.substr(signed_name.size()));
  }
  return {};
}

/// A negation or an absolute value of 16 bits. Its operands: "\t%rs2, %rs1;".
std::optional<std::string> negation(std::string_view instruction) {
  const bool negates = instruction.starts_with("neg.s16"), is_absolute = instruction.starts_with("abs.s16");
  if (!negates && !is_absolute) return {};
  std::string_view operands = instruction.substr(std::string_view("neg.s16").size());
  operands.remove_prefix(operands.find('%'));
  const size_t comma = operands.find(','), end = operands.find(';');
  const std::string_view to = operands.substr(0, comma), from = operands.substr(comma + 2, end - comma - 2);
  const std::string_view behind = operands.substr(end + 1);
  if (negates) return fmt::format("mul.lo.s16 \t{}, {}, -1;{}", to, from, behind);
  return fmt::format("{{ .reg .b32 %wide; cvt.s32.s16 %wide, {}; abs.s32 %wide, %wide; cvt.u16.u32 {}, %wide; }}{}",
                     from, to, behind);
}

}  // namespace

std::string without_ptxas_faults(const std::string& ptx) {
  std::string result;
  result.reserve(ptx.size());
  for (std::string_view rest = ptx; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end);
    std::optional<std::string> other;
    if (line.starts_with('\t')) {
      other = comparison(line.substr(1));
      if (!other) other = negation(line.substr(1));
    }
    if (!other) {
      result += line;
      continue;
    }
    result += '\t' + *other;
  }
  return result;
}

}  // namespace qd::codegen::nvptx
