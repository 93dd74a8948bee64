// Formats of C's printf for the numbers that kernels print: the option printf_formats.
#include "runtime/frontend/values/printf_formats.h"

#include <fmt/format.h>

namespace qd::frontend {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// Takes the characters of a set from the front of a text.
std::string_view take(std::string_view& text, std::string_view set) {
  const std::string_view taken = text.substr(0, text.find_first_not_of(set));
  text.remove_prefix(taken.size());
  return taken;
}

std::string_view conversions(ir::Type type) {
  if (ir::is_float(type)) return "fFeEgGaA";
  if (type == ir::Type::U1) return "diuoxX";
  return ir::is_unsigned(type) ? "uoxX" : "di";
}

}  // namespace

std::optional<std::string> from_printf(std::string_view spec, ir::Type type) {
  std::string_view rest = spec;
  const std::string_view flags = take(rest, "-+ #0");
  const std::string_view width = take(rest, kDigits);
  const bool is_precise = rest.starts_with('.');
  if (is_precise) rest.remove_prefix(1);
  std::string precision(take(rest, kDigits));
  take(rest, "hljztLq");
  if (rest.size() > 1 ||
      (rest.size() == 1 && std::string_view("fFeEgGaAuoxXdic").find(rest[0]) == std::string_view::npos))
    return std::string(spec);
  const std::string_view allowed = conversions(type);
  const char conversion = rest.empty() ? allowed[0] : rest[0];
  if (allowed.find(conversion) == std::string_view::npos) return std::nullopt;
  auto has = [&](char flag) { return flags.find(flag) != std::string_view::npos; };
  if (is_precise) {
    if (precision.empty()) precision = "0";
  } else if (type == ir::Type::F64) {
    precision = "12";
  } else if (ir::is_float(type) && conversion != 'a' && conversion != 'A') {
    precision = "6";
  }
  const bool zeros = has('0') && !has('-') && (ir::is_float(type) || !is_precise);
  return fmt::format("{}{}{}{}{}{}{}{}", has('-') && !width.empty() ? "<" : "",
                     has('+')   ? "+"
                     : has(' ') ? " "
                                : "",
                     has('#') ? "#" : "", zeros ? "0" : "", width, precision.empty() ? "" : ".", precision,
                     conversion == 'i' || conversion == 'u' ? 'd' : conversion);
}

}  // namespace qd::frontend
