// The functions of the launch context.
#include "runtime/device/cpu/cpu_launch.h"

#include "runtime/device/cpu/combine_arrays.h"

namespace qd::device {
namespace {

CpuLaunch& of(LaunchContext* context) { return *static_cast<CpuLaunch*>(context->launcher); }

Message message(const CpuLaunch& launch, Message::Kind kind, uint32_t format, const uint64_t* values) {
  return {kind, format, {values, values + launch.executable.values_of(format)}, {}};
}

void note(CpuLaunch& launch, Message message) {
  std::lock_guard lock(launch.mutex);
  launch.outcome.messages.push_back(std::move(message));
}

void print(LaunchContext* context, uint32_t format, const uint64_t* values) {
  CpuLaunch& launch = of(context);
  note(launch, message(launch, Message::Kind::Print, format, values));
  CodeCall::visit_here();
}

void warn(LaunchContext* context, uint32_t format, const uint64_t* values) {
  CpuLaunch& launch = of(context);
  if (launch.executable.first_warning(format)) note(launch, message(launch, Message::Kind::Warn, format, values));
}

void fail(LaunchContext* context, uint32_t format, const uint64_t* values) {
  CpuLaunch& launch = of(context);
  std::lock_guard lock(launch.mutex);
  if (launch.failed.exchange(true)) return;
  launch.failure = message(launch, Message::Kind::Fail, format, values);
  launch.failed_thread = std::this_thread::get_id();
}

void called_from(LaunchContext* context, uint64_t place) {
  CpuLaunch& launch = of(context);
  std::lock_guard lock(launch.mutex);
  if (launch.failed_thread == std::this_thread::get_id()) launch.failure->calls.push_back(place);
}

int32_t claim(LaunchContext* context, const ThreadState* thread, const void* element, uint32_t format,
              uint32_t access) {
  const uint32_t section = thread->section;
  if (section == 0) return 0;
  return of(context).claims->claim(reinterpret_cast<uintptr_t>(element), section, format,
                                   static_cast<ir::Access>(access));
}

}  // namespace

CpuLaunch::CpuLaunch(const CpuExecutable& executable, const Invocation& invocation, uint64_t* temps)
    : context{invocation.arrays,
              invocation.params,
              invocation.results,
              temps,
              invocation.counters,
              print,
              fail,
              this,
              warn,
              called_from,
              claim,
              combine_arrays},
      executable(executable),
      poll(invocation.poll),
      times(invocation.times),
      outcome(*invocation.outcome) {}

void CpuLaunch::begin_fork() {
  if (!executable.claims()) return;
  if (!claims) claims = std::make_unique<ElementClaims>();
  claims->clear();
}

bool CpuLaunch::visit(void* data) {
  CpuLaunch& launch = *static_cast<CpuLaunch*>(data);
  if (!launch.interrupted.load(std::memory_order_relaxed) && launch.poll &&
      launch.thread == std::this_thread::get_id() && Watch::due() && launch.poll->wants_end()) {
    launch.interrupted.store(true, std::memory_order_relaxed);
    launch.failed.store(true, std::memory_order_relaxed);
  }
  return launch.interrupted.load(std::memory_order_relaxed);
}

}  // namespace qd::device
