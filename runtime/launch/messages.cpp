// Formats are filled in, and locations followed to the kernel.
#include "runtime/launch/messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/launch/format.h"

namespace qd {
namespace {

/// Of a recursion, at each end.
constexpr size_t kShownCalls = 8;

/// Into Kernel::locations, of an assert or a warning.
uint32_t location_of(const ir::Kernel& kernel, uint32_t format) {
  return std::ranges::find_if(kernel.insts, [&](const ir::Inst& inst) { return (inst.op == ir::Op::Assert || inst.op == ir::Op::Warn) && inst.aux == format; })->location;
}

uint32_t location_of_call(const ir::Kernel& kernel, uint64_t place) {
  return std::ranges::find_if(kernel.insts, [&](const ir::Inst& inst) { return inst.op == ir::Op::Call && inst.imm == place; })->location;
}

/// A line for a location and for each call of a func around it, innermost first.
std::string trace(const ir::Kernel& kernel, uint32_t at) {
  std::string text;
  for (; at < kernel.locations.size(); at = kernel.locations[at].caller) {
    const ir::Location& location = kernel.locations[at];
    const ir::Function& function = kernel.functions[location.function];
    text += fmt::format("\n{}:{} in {}", function.file, location.line, function.name);
  }
  return text;
}

}  // namespace

std::string text_of(const ir::Kernel& kernel, const device::Message& message) {
  const ir::Format& format = kernel.formats[message.format];
  std::string text = format_text(format, message.values.data());
  if (!format.whole) text = fmt::format("(kernel={}) {}{}", kernel.name, text, trace(kernel, location_of(kernel, message.format)));
  const std::vector<uint64_t>& calls = message.calls;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls.size() > 2 * kShownCalls && i == kShownCalls) {
      text += fmt::format("\n... {} more calls", calls.size() - 2 * kShownCalls);
      i = calls.size() - kShownCalls;
    }
    text += trace(kernel, location_of_call(kernel, calls[i]));
  }
  return text;
}

std::string place_of(const ir::Kernel& kernel, const device::Message& warning) {
  const ir::Location& location = kernel.locations[location_of(kernel, warning.format)];
  const std::string_view message = kernel.formats[warning.format].pieces[0];
  return fmt::format("{}:{}:{}", kernel.functions[location.function].file, location.line, message.substr(0, message.find(':')));
}

}  // namespace qd
