// A pipeline for each shader; a command buffer, recorded once, for each action.
#include "tests/bench/glsl_programs.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "runtime/device/vulkan/results.h"

namespace bench {

using qd::device::vulkan::Gpu;
using qd::device::vulkan::MemoryKind;
using qd::device::vulkan::require;

struct GlslPrograms::Pipeline {
  std::string shader;
  VkDescriptorSetLayout set;
  VkPipelineLayout layout;
  VkPipeline pipeline;
};

GlslPrograms::GlslPrograms(std::string folder) : folder_(std::move(folder)), gpu_(Gpu::open({})) {
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 256};
  VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool.maxSets = 64;
  pool.poolSizeCount = 1;
  pool.pPoolSizes = &size;
  require("vkCreateDescriptorPool", gpu_->vk.vkCreateDescriptorPool(gpu_->device(), &pool, nullptr, &descriptors_));
  VkCommandPoolCreateInfo commands{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  commands.queueFamilyIndex = gpu_->physical().queue_family;
  require("vkCreateCommandPool", gpu_->vk.vkCreateCommandPool(gpu_->device(), &commands, nullptr, &commands_));
  VkSemaphoreTypeCreateInfo timeline{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  timeline.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &timeline};
  require("vkCreateSemaphore", gpu_->vk.vkCreateSemaphore(gpu_->device(), &semaphore, nullptr, &over_));
}

GlslPrograms::~GlslPrograms() {
  const VolkDeviceTable& vk = gpu_->vk;
  for (const auto& row : pipelines_) {
    vk.vkDestroyPipeline(gpu_->device(), row->pipeline, nullptr);
    vk.vkDestroyPipelineLayout(gpu_->device(), row->layout, nullptr);
    vk.vkDestroyDescriptorSetLayout(gpu_->device(), row->set, nullptr);
  }
  vk.vkDestroySemaphore(gpu_->device(), over_, nullptr);
  vk.vkDestroyCommandPool(gpu_->device(), commands_, nullptr);
  vk.vkDestroyDescriptorPool(gpu_->device(), descriptors_, nullptr);
}

GlslBuffer GlslPrograms::buffer(size_t bytes) {
  GlslBuffer made{gpu_->heap().allocate(bytes, MemoryKind::Shared)};
  made.piece.size = bytes;
  return made;
}

GlslPrograms::Pipeline& GlslPrograms::pipeline(const std::string& shader, uint32_t buffers) {
  for (const auto& row : pipelines_) {
    if (row->shader == shader) return *row;
  }
  const std::string path = folder_ + "/" + shader + ".spv";
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<uint32_t> words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));

  auto made = std::make_unique<Pipeline>(Pipeline{shader, nullptr, nullptr, nullptr});
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (uint32_t i = 0; i < buffers; ++i)
    bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set.bindingCount = buffers;
  set.pBindings = bindings.data();
  require("vkCreateDescriptorSetLayout",
          gpu_->vk.vkCreateDescriptorSetLayout(gpu_->device(), &set, nullptr, &made->set));
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Pass::constants)};
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &made->set;
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  require("vkCreatePipelineLayout", gpu_->vk.vkCreatePipelineLayout(gpu_->device(), &layout, nullptr, &made->layout));
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  code.codeSize = bytes.size();
  code.pCode = words.data();
  VkShaderModule module;
  require("vkCreateShaderModule", gpu_->vk.vkCreateShaderModule(gpu_->device(), &code, nullptr, &module));
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = made->layout;
  require("vkCreateComputePipelines",
          gpu_->vk.vkCreateComputePipelines(gpu_->device(), VK_NULL_HANDLE, 1, &info, nullptr, &made->pipeline));
  gpu_->vk.vkDestroyShaderModule(gpu_->device(), module, nullptr);
  return *pipelines_.emplace_back(std::move(made));
}

Action GlslPrograms::action(const std::vector<Pass>& passes) {
  const VolkDeviceTable& vk = gpu_->vk;
  VkCommandBufferAllocateInfo allocation{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocation.commandPool = commands_;
  allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocation.commandBufferCount = 1;
  VkCommandBuffer commands;
  require("vkAllocateCommandBuffers", vk.vkAllocateCommandBuffers(gpu_->device(), &allocation, &commands));
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  require("vkBeginCommandBuffer", vk.vkBeginCommandBuffer(commands, &begin));
  for (const Pass& pass : passes) {
    const Pipeline& program = pipeline(pass.shader, static_cast<uint32_t>(pass.buffers.size()));
    VkDescriptorSetAllocateInfo sets{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    sets.descriptorPool = descriptors_;
    sets.descriptorSetCount = 1;
    sets.pSetLayouts = &program.set;
    VkDescriptorSet set;
    require("vkAllocateDescriptorSets", vk.vkAllocateDescriptorSets(gpu_->device(), &sets, &set));
    for (uint32_t i = 0; i < pass.buffers.size(); ++i) {
      const auto& piece = pass.buffers[i].piece;
      const VkDescriptorBufferInfo buffer{piece.block->buffer, piece.offset, piece.size};
      VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      write.dstSet = set;
      write.dstBinding = i;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      write.pBufferInfo = &buffer;
      vk.vkUpdateDescriptorSets(gpu_->device(), 1, &write, 0, nullptr);
    }
    VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    vk.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                            &barrier, 0, nullptr, 0, nullptr);
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program.pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program.layout, 0, 1, &set, 0, nullptr);
    vk.vkCmdPushConstants(commands, program.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof pass.constants,
                          pass.constants.data());
    vk.vkCmdDispatch(commands, pass.groups[0], pass.groups[1], 1);
  }
  require("vkEndCommandBuffer", vk.vkEndCommandBuffer(commands));
  return [this, commands] {
    const uint64_t value = ++submissions_;
    VkTimelineSemaphoreSubmitInfo timeline{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    timeline.signalSemaphoreValueCount = 1;
    timeline.pSignalSemaphoreValues = &value;
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &timeline};
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &over_;
    gpu_->submit(0, info);
    VkSemaphoreWaitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    wait.semaphoreCount = 1;
    wait.pSemaphores = &over_;
    wait.pValues = &value;
    require("vkWaitSemaphores", gpu_->vk.vkWaitSemaphores(gpu_->device(), &wait, UINT64_MAX));
  };
}

}  // namespace bench
