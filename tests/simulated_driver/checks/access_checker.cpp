#include "tests/simulated_driver/checks/access_checker.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "tests/simulated_driver/threads/stacks.h"

namespace qd::simulated {
namespace {

constexpr uint64_t kWord = 4;
/// Limit on the lines that are reported for a kernel.
constexpr size_t kMostTold = 16;

AccessChecker* checker = nullptr;

const char* verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::Load: return "loads";
    case AccessKind::Store: return "stores";
    case AccessKind::AtomicLoad: return "loads atomically";
    case AccessKind::Atomic: return "changes atomically";
  }
  return "";
}

std::string line_of(const Touch& touch) { return touch.line ? touch.line : "no line of the kernel"; }

std::string text(const Touch& touch) {
  return fmt::format("thread {} of block {} {} at {}", touch.moment.thread, touch.moment.block, verb(touch.kind),
                     line_of(touch));
}

bool is_on_stack(uint32_t thread, uint64_t address) {
  const auto top = reinterpret_cast<uint64_t>(top_of_stack(thread));
  return address < top && top - address <= kWholeStack;
}

/// Whether memory holds what a store will put there.
bool holds(uint64_t address, uint64_t bytes, const uint64_t* value) {
  return value && bytes <= sizeof *value && std::memcmp(reinterpret_cast<const void*>(address), value, bytes) == 0;
}

}  // namespace

AccessChecker::AccessChecker(std::string kernel, uint64_t block_bytes, MemoryMap memory)
    : kernel_(std::move(kernel)), block_bytes_(block_bytes), memory_(std::move(memory)) {
  checker = this;
  observe_groups(this);
}

AccessChecker::~AccessChecker() {
  observe_groups(nullptr);
  checker = nullptr;
}

void AccessChecker::group_begins(const Group& group) {
  moments_.block_begins(group);
  lines_.assign(group.threads, nullptr);
  block_begin_ = reinterpret_cast<uint64_t>(group.block_memory);
  // Each block has shared variables of its own, which lie at the same addresses.
  shared_words_.clear();
  shared_bytes_.clear();
}

void AccessChecker::access(uint32_t thread, uint64_t address, uint64_t bytes, AccessKind kind, const uint64_t* value) {
  if (bytes == 0 || is_on_stack(thread, address)) return;
  const Touch touch{moments_.now(thread), lines_[thread], kind};
  if (const std::optional<std::string> wrong = fault(address, bytes)) {
    if (outside_.size() < kMostTold && told_.emplace(line_of(touch), "").second)
      outside_.push_back(fmt::format("{}: {}: {} bytes {}", kernel_, text(touch), bytes, *wrong));
    return;
  }
  if (kind == AccessKind::Atomic || kind == AccessKind::AtomicLoad)
    moments_.atomic(thread, address, kind == AccessKind::Atomic);
  const bool same = kind == AccessKind::Store && holds(address, bytes, value);
  const bool in_words = address % kWord == 0 && bytes % kWord == 0, shared = is_shared(address);
  Touches& touches = in_words ? (shared ? shared_words_ : words_) : (shared ? shared_bytes_ : bytes_);
  const uint64_t step = in_words ? kWord : 1;
  for (uint64_t at = address; at < address + bytes; at += step) {
    if (const std::optional<Touch> other = touches.add(moments_, at / step, touch, same)) tell_race(*other, touch, at);
  }
}

void AccessChecker::tell_race(const Touch& one, const Touch& two, uint64_t address) {
  if (races_.size() >= kMostTold || !told_.emplace(line_of(one), line_of(two)).second) return;
  const std::string place =
      is_shared(address) ? fmt::format("byte {} of shared variables", address - block_begin_) : memory_.place(address);
  races_.push_back(fmt::format("{}: a race for {}: {}; {}", kernel_, place, text(one), text(two)));
}

bool AccessChecker::is_shared(uint64_t address) const { return address - block_begin_ < (block_bytes_ + 7) / 8 * 8; }

/// Behind shared variables, memory faults. Before them lie those that a kernel with more of them has.
std::optional<std::string> AccessChecker::fault(uint64_t address, uint64_t bytes) const {
  if (is_shared(address)) return std::nullopt;
  if (block_begin_ - address < kBlockBytes)
    return fmt::format("outside of shared variables, {} bytes before them", block_begin_ - address);
  return memory_.fault(address, bytes);
}

namespace {

void note_access(uint64_t address, uint64_t bytes, uint32_t kind, uint32_t has_value, uint64_t value) {
  if (checker)
    checker->access(thread_of_fibre(), address, bytes, static_cast<AccessKind>(kind), has_value ? &value : nullptr);
}

void note_fence(uint32_t scope) {
  if (checker) checker->fence(thread_of_fibre(), static_cast<ir::Scope>(scope));
}

void note_line(const char* line) {
  if (checker) checker->at(thread_of_fibre(), line);
}

}  // namespace

std::span<const std::pair<std::string_view, void*>> functions_of_checks() {
  static const std::array all{
      std::pair<std::string_view, void*>{"qd_simulated_access", reinterpret_cast<void*>(&note_access)},
      std::pair<std::string_view, void*>{"qd_simulated_fence", reinterpret_cast<void*>(&note_fence)},
      std::pair<std::string_view, void*>{"qd_simulated_line", reinterpret_cast<void*>(&note_line)}};
  return all;
}

}  // namespace qd::simulated
