// A variant is compiled with probes when it is observed, and launched without them when nothing is left to learn.
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

Variant::Variant(ir::Kernel kernel, const Config& config, LaunchObserver* observer, const std::function<const ArraySlot&(uint64_t)>& field_slot) {
  std::vector<ArraySlot> fields = field_slots(kernel, field_slot);
  Code::LowerProbes lower_probes;
  ir::Kernel source;
  const bool may_switch = observer && config.clean_code_switch != CleanCodeSwitch::Never;
  if (observer) lower_probes = [&](ir::Kernel& split) { observer_ = observer->lower_probes(split); };
  if (may_switch) source = kernel;
  code_ = std::make_unique<Code>(std::move(kernel), config, fields, lower_probes);
  if (may_switch && observer_) clean_ = std::make_shared<CleanCode>(std::move(source), config, std::move(fields));
}

int Variant::launch(Machine& machine, ArraySlot* arrays, const uint64_t* params, uint64_t* results) const {
  if (clean_ && observer_->all_taken()) {
    if (const Code* code = clean_->get()) return code->launch(machine, arrays, params, results, nullptr);
  }
  return code_->launch(machine, arrays, params, results, observer_.get());
}

}  // namespace qd
