// Texts of messages: fills in formats, and follows locations to the kernel.
#include "runtime/launch/messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/ir/frames.h"
#include "runtime/launch/tape_reads.h"

namespace qd {
namespace {

using Kind = ir::Format::Kind;

/// Number of calls of a recursion that are shown at each end.
constexpr size_t kShownCalls = 8;

/// The location of an assert or a warning, as an index into Kernel::locations.
uint32_t location_of(const ir::Kernel& kernel, uint32_t format) {
  return std::ranges::find_if(kernel.insts,
                              [&](const ir::Inst& inst) {
                                return (inst.op == ir::Op::Assert || inst.op == ir::Op::Warn) && inst.aux == format;
                              })
      ->location;
}

uint32_t location_of_call(const ir::Kernel& kernel, uint64_t call) {
  return std::ranges::find_if(kernel.insts,
                              [&](const ir::Inst& inst) { return inst.op == ir::Op::Call && inst.imm == call; })
      ->location;
}

}  // namespace

std::string text_of(const ir::Kernel& kernel, const device::Message& message) {
  const uint32_t format = message.format;
  const std::vector<uint64_t>& calls = message.calls;
  const Kind kind = kernel.formats[format].kind;
  const uint32_t location = location_of(kernel, format);
  ir::Format shown = kernel.formats[format];
  if (kind == Kind::Claim || kind == Kind::Overwrite) shown.types.pop_back();
  const std::string said = format_text(shown, message.values.data());
  const bool names_kernel = kind == Kind::Bounds || kind == Kind::View;
  std::string text = names_kernel ? said : fmt::format("(kernel={}) {}", kernel.name, said);
  text += kind == Kind::View ? ir::callstack(kernel, location) : ir::trace(kernel, location);
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls.size() > 2 * kShownCalls && i == kShownCalls) {
      text += fmt::format("\n... {} more calls", calls.size() - 2 * kShownCalls);
      i = calls.size() - kShownCalls;
    }
    text += ir::trace(kernel, location_of_call(kernel, calls[i]));
  }
  if (kind == Kind::Claim) {
    const auto other = static_cast<uint32_t>(message.values.back() - 1);
    text += "\nThe other block uses it here:" + ir::trace(kernel, location_of(kernel, other));
  }
  if (kind == Kind::Overwrite) {
    const auto [reader, place] = read_of(static_cast<int32_t>(message.values.back()));
    text += "\nIt was read here:" + (reader ? ir::trace(*reader, place) : "\nin a kernel that is gone");
  }
  return text;
}

std::string place_of(const ir::Kernel& kernel, const device::Message& warning) {
  const ir::Location& location = kernel.locations[location_of(kernel, warning.format)];
  return fmt::format("{}:{}:{}", kernel.functions[location.function].file, location.line,
                     static_cast<int>(kernel.formats[warning.format].kind));
}

}  // namespace qd
