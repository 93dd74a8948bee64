// Choice between the two modules of a task: the one with storage buffers, if all of the launch's arrays fit.
#include "runtime/device/vulkan/vulkan_launch.h"

namespace qd::device::vulkan {

VulkanLaunch::Form VulkanLaunch::form_of(const VulkanExecutable& executable, size_t task, const ArraySlot* arrays) {
  const VulkanExecutable::LoadedTask& loaded = executable.tasks()[task];
  Form form{{loaded.pipeline, loaded.layout, {}}, {}};
  for (uint32_t array : loaded.bound) {
    const std::optional<VkDescriptorBufferInfo> buffer = executable.buffer_of(array, arrays[array]);
    if (!buffer) return {{executable.by_addresses(task), executable.gpu().layout(0), {}}, {}};
    form.buffers.push_back(*buffer);
  }
  return form;
}

std::vector<VulkanLaunch::Form> VulkanLaunch::forms_of(const VulkanExecutable& executable, const ArraySlot* arrays) {
  std::vector<Form> forms;
  if (!executable.binds()) return forms;
  for (size_t task = 0; task < executable.tasks().size(); ++task) forms.push_back(form_of(executable, task, arrays));
  return forms;
}

CommandRecorder::Program VulkanLaunch::program(uint32_t task) const {
  if (forms_.empty()) return {executable_.tasks()[task].pipeline, executable_.tasks()[task].layout, {}};
  const Form& form = forms_[task];
  return {form.program.pipeline, form.program.layout, form.buffers};
}

}  // namespace qd::device::vulkan
