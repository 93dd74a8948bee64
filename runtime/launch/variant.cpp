// A variant is compiled with probes when it is observed, and launched with fewer or none of them when less or nothing is left to learn.
#include "runtime/launch/variant.h"

#include "runtime/launch/program.h"

namespace qd {
namespace {

std::vector<ArraySlot> field_slots(const ir::Kernel& kernel, const std::function<const ArraySlot&(uint64_t)>& field_slot) {
  std::vector<ArraySlot> slots;
  for (const ir::Array& array : kernel.arrays) {
    if (array.kind == ir::Array::Kind::Field) slots.push_back(field_slot(array.field));
  }
  return slots;
}

}  // namespace

Variant::Variant(ir::Kernel kernel, const Config& config, LaunchObserver* observer, const std::function<const ArraySlot&(uint64_t)>& field_slot,
                 std::shared_ptr<CodeCache> cache) {
  std::vector<ArraySlot> fields = field_slots(kernel, field_slot);
  Code::LowerProbes lower_probes;
  ir::Kernel source, lowered;
  const bool may_switch = observer && config.clean_code_switch != CleanCodeSwitch::Never;
  if (observer) {
    lower_probes = [&](ir::Kernel& split) {
      observer_ = observer->lower_probes(split);
      if (may_switch && observer_) lowered = split;
    };
  }
  if (may_switch) source = kernel;
  code_ = std::make_unique<Code>(std::move(kernel), config, fields, lower_probes, cache.get());
  if (may_switch && observer_) {
    clean_ = std::make_shared<CleanCode>(source, config, fields, cache);
    partial_ = std::make_shared<PartialCode>(std::move(source), std::move(lowered), config, std::move(fields), std::move(cache));
    epoch_ = &observer_->epoch();
  }
}

int Variant::launch_observed(Machine& machine, ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll) const {
  if (!observer_) return code_->launch(machine, arrays, params, results, poll);
  if (clean_) {
    const uint64_t epoch = epoch_->load(std::memory_order_acquire);  // before the question: an answer for a later one does no harm
    const Code* code = observer_->all_taken() ? clean_->get() : nullptr;
    if (code) {
      ready_.store(code, std::memory_order_relaxed);
      clean_in_.store(epoch, std::memory_order_release);
      return code->launch(machine, arrays, params, results, poll);
    }
  }
  const VariantObserver::Counters counters = observer_->counters();
  const Code* partial = partial_ ? partial_->get(counters.epoch) : nullptr;
  const Code& code = partial ? *partial : *code_;
  const int tasks = code.launch(machine, arrays, params, results, poll, observer_.get(), counters.data);
  if (partial_ && !observer_->all_taken()) partial_->launched(*observer_, counters.epoch);
  return tasks;
}

}  // namespace qd
