// Choice of a variant's code. It is compiled with probes when it is observed; launches run with fewer counters, or
// none, when less or nothing is left to learn.
#include "runtime/launch/variant.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/launch/program.h"

namespace qd {

Variant::Variant(ir::Kernel kernel, const std::string& text, const Config& config,
                 std::shared_ptr<device::Device> device, LaunchObserver* observer, const FieldOf& field_of,
                 std::shared_ptr<CodeCache> cache) {
  std::function<bool(ir::Kernel&)> lower_probes;
  if (observer) {
    lower_probes = [this, observer, &text, &runs_on = *device](ir::Kernel& split) {
      observer_ = observer->lower_probes(split, runs_on.capabilities().arch, runs_on.target().plan().counts, text);
      return observer_ != nullptr;
    };
  }
  for (size_t row = 0; row < kernel.arrays.size(); ++row) {
    if (kernel.arrays[row].kind != ir::Array::Kind::Field) continue;
    const FieldUse use = field_of(kernel.arrays[row].field);
    fields_.push_back({row, use.place->slot(), use.place, use.captured ? use.place->hold() : nullptr});
  }
  forms_ = std::make_shared<Forms>(std::move(kernel), config, std::move(device), observer ? observer->instruments() : 0,
                                   lower_probes, std::move(cache));
  code_ = &forms_->first();
  if (forms_->may_switch()) {
    clean_ = std::make_shared<CleanCode>(forms_);
    partial_ = std::make_shared<PartialCode>(forms_);
    epoch_ = &observer_->epoch();
  }
}

bool Variant::fields_are_there() const {
  return std::ranges::none_of(fields_, [](const FieldRow& field) { return !field.hold && field.place->gone(); });
}

void Variant::check_captured_fields() const {
  for (const FieldRow& field : fields_) {
    if (!field.hold || !field.place->gone()) continue;
    const std::string& name = kernel().arrays[field.row].name;
    throw KernelRuntimeError(fmt::format("kernel {} has captured {}, which is gone: tree.destroy() has ended it",
                                         kernel().name,
                                         name.empty() ? "a field" : fmt::format("the field `{}`", name)));
  }
}

bool Variant::look_at_fields() const {
  const uint64_t endings = FieldPlace::endings();  // before the look: a field may end meanwhile
  if (!fields_are_there()) return false;
  check_captured_fields();
  there_at_.store(endings, std::memory_order_relaxed);
  return true;
}

Variant::Choice Variant::choose(uint32_t stream) const {
  if (!observer_) return {code_, {}};
  observer_->launched();
  if (clean_) {
    // Read before the question: an answer that belongs to a later epoch does no harm.
    const uint64_t epoch = epoch_->load(std::memory_order_acquire);
    const KernelCode* code = observer_->all_taken() ? clean_->get() : nullptr;
    if (code) {
      ready_.store(code, std::memory_order_relaxed);
      clean_in_.store(epoch, std::memory_order_release);
      return {code, {}};
    }
  }
  const VariantObserver::Counters counters = observer_->begin(stream);
  const KernelCode* partial = partial_ ? partial_->get(counters.epoch) : nullptr;
  return {partial ? partial : code_, {observer_.get(), counters}};
}

void Variant::run_observed(Launcher& launcher, ArraySlot* arrays, const uint64_t* params, uint64_t* results,
                           LaunchPoll* poll, uint64_t* kept) const {
  const Choice now = choose(kDefaultStream);
  launcher.run(*now.code, arrays, params, results, poll, kept, now.counting);
  counted(now.counting);
}

void Variant::enqueue(Launcher& launcher, LaunchStream& stream, const std::shared_ptr<LaunchInFlight>& launch) const {
  for (const FieldRow& field : fields_) {
    launch->arrays[field.row] = field.slot;
    launch->memories.push_back(field.place->memory());
    if (!launch->memories.back()) throw KernelRuntimeError(fmt::format("kernel {}: a field is gone", kernel().name));
  }
  const Choice now = choose(stream.number());
  launch->variant = shared_from_this();
  launch->code = now.code;
  launch->counting = now.counting;
  launch->counters.resize(now.code->kernel().counters);
  try {
    launcher.enqueue(stream, launch);
  } catch (...) {
    if (launch->counting.observer) launch->counting.observer->launch_left(launch->counting.counters.id);
    throw;
  }
}

void Variant::launch_over(LaunchInFlight& launch) const {
  give_counts(launch.counting, launch.outcome, launch.counters);
  counted(launch.counting);
}

void Variant::counted(const Counting& counting) const {
  if (counting.observer && partial_ && !observer_->all_taken()) partial_->launched(*observer_, counting.counters.epoch);
}

}  // namespace qd
