// Devices of contexts: the only place that takes the text of a context apart.
#include "report/data/producers.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace qd::report {
namespace {

constexpr std::string_view kOurs = "qd";

std::mutex mutex;
std::shared_ptr<const Producers>& present() {
  static auto producers = std::make_shared<const Producers>();
  return producers;
}

/// Length of the producer's name and the colon behind it; 0: the text begins with none.
size_t producer_prefix(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return 0;
  const auto known = producers();
  return std::ranges::find(known->contexts, text.substr(0, colon)) == known->contexts.end() ? 0 : colon + 1;
}

/// The device without our own name: "cpu" of "qd:cpu".
std::string_view named(std::string_view device) {
  return device.starts_with(kOurs) && device.size() > kOurs.size() && device[kOurs.size()] == ':'
             ? device.substr(kOurs.size() + 1)
             : device;
}

}  // namespace

std::shared_ptr<const Producers> producers() {
  std::lock_guard lock(mutex);
  return present();
}

void set_producers(Producers producers) {
  auto made = std::make_shared<const Producers>(std::move(producers));
  std::lock_guard lock(mutex);
  present() = std::move(made);
}

bool is_foreign(std::string_view producer) {
  const auto known = producers();
  return producer != kOurs && std::ranges::find(known->contexts, producer) != known->contexts.end();
}

ContextParts context_parts(std::string_view context) {
  const size_t bar = context.rfind('|');
  const std::string_view last = bar == std::string_view::npos ? context : context.substr(bar + 1);
  const size_t prefix = producer_prefix(last);
  if (prefix == 0 || prefix == last.size()) return {context, {}};
  return {bar == std::string_view::npos ? std::string_view() : context.substr(0, bar), named(last)};
}

std::string named_arch(std::string_view context) {
  const std::string_view device = context_parts(context).device;
  return std::string(device.empty() ? kHostArch : device);
}

std::string kernel_context(const std::string& label, const std::string& arch) {
  std::string context = label.empty() ? "" : label + "|";
  return context.append(kOurs).append(":").append(arch);
}

bool is_arch_name(std::string_view name) {
  auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  // Of another producer: "numba:cpu".
  const bool foreign = name.find('|') == std::string_view::npos && context_parts(name).device == name;
  const std::string_view device = foreign ? name.substr(name.find(':') + 1) : name;
  return !device.empty() && std::ranges::all_of(device, is_part);
}

size_t device_prefix(std::string_view text) {
  const size_t prefix = producer_prefix(text);
  if (prefix == 0) return 0;
  return std::min(text.find(':', prefix), text.size());
}

}  // namespace qd::report
