// Format of a message: a word with its kind, format and number of values, and then the values.
#include "runtime/device/launches/launch_report.h"

#include <algorithm>

namespace qd::device {
namespace {

Message::Kind kind_of(uint64_t head) {
  switch (static_cast<DeviceMessageKind>(head & 0xff)) {
    case DeviceMessageKind::Print: return Message::Kind::Print;
    case DeviceMessageKind::Warn: return Message::Kind::Warn;
    case DeviceMessageKind::Fail: return Message::Kind::Fail;
  }
  return Message::Kind::Print;
}

uint32_t format_of(uint64_t head) { return static_cast<uint32_t>(head >> 8); }
size_t values_of(uint64_t head) { return static_cast<size_t>(head >> 40); }

}  // namespace

void read_messages(const DeviceMessages& messages, const std::function<bool(uint32_t format)>& first_warning,
                   LaunchOutcome& outcome) {
  const auto* words = reinterpret_cast<const uint64_t*>(&messages + 1);
  const size_t end = std::min(messages.next, messages.capacity);
  for (size_t at = 0; at < end && words[at] != kNoMessage;) {
    const uint64_t head = words[at++];
    const size_t count = values_of(head);
    if (count > end - at) break;
    const Message::Kind kind = kind_of(head);
    if (kind != Message::Kind::Warn || first_warning(format_of(head)))
      outcome.messages.push_back({kind, format_of(head), {words + at, words + at + count}, {}});
    at += count;
  }
  outcome.lost_messages = messages.lost;
  if (!(messages.failed & kAssertFailed)) return;
  const uint64_t* fail = words + messages.capacity;
  const size_t count = values_of(fail[0]);
  const size_t calls = static_cast<size_t>(fail[1]);
  const uint64_t* values = fail + 2;
  outcome.messages.push_back(
      {Message::Kind::Fail, format_of(fail[0]), {values, values + count}, {values + count, values + count + calls}});
}

}  // namespace qd::device
