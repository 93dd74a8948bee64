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
  std::function<bool(ir::Kernel&)> lower_probes;
  if (observer) {
    lower_probes = [&](ir::Kernel& split) {
      observer_ = observer->lower_probes(split, passes::kCpuPlan.counts);
      return observer_ != nullptr;
    };
  }
  std::vector<ArraySlot> fields = field_slots(kernel, field_slot);
  forms_ = std::make_shared<Forms>(std::move(kernel), config, std::move(fields), lower_probes, std::move(cache));
  code_ = &forms_->first();
  if (forms_->may_switch()) {
    clean_ = std::make_shared<CleanCode>(forms_);
    partial_ = std::make_shared<PartialCode>(forms_);
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
