// The instance is never destroyed: drivers do not like to be unloaded while others of their threads run.
#include "runtime/device/vulkan/instance.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "runtime/device/host_threads.h"
#include "runtime/device/vulkan/results.h"

namespace qd::device::vulkan {
namespace {

constexpr const char* kLayer = "VK_LAYER_KHRONOS_validation";

std::mutex mutex;  // guards the variables below
VkInstance made = VK_NULL_HANDLE;
uint64_t made_at = 0;  // fork_count() at that time

std::mutex messages_mutex;  // of `messages`
std::string messages;

VKAPI_ATTR VkBool32 VKAPI_CALL note(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
  std::lock_guard lock(messages_mutex);
  messages += data->pMessage;
  messages += '\n';
  return VK_FALSE;
}

bool has_layer() {
  uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  return std::ranges::any_of(layers, [](const auto& layer) { return std::strcmp(layer.layerName, kLayer) == 0; });
}

VkInstance make() {
  if (volkInitialize() != VK_SUCCESS) throw NotAvailable("there is no loader (libvulkan.so.1)");
  if (volkGetInstanceVersion() < VK_API_VERSION_1_2) throw NotAvailable("the loader is older than Vulkan 1.2");
  if (validates() && !has_layer()) throw NotAvailable(std::string("there is no layer ") + kLayer);

  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = application.pEngineName = "qd";
  application.apiVersion = VK_API_VERSION_1_2;

  const std::array checks{VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkValidationFeaturesEXT features{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  features.enabledValidationFeatureCount = checks.size();
  features.pEnabledValidationFeatures = checks.data();
  VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT, &features};
  messenger.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  messenger.messageType =
      VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  messenger.pfnUserCallback = note;

  const char* layers[] = {kLayer};
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  if (validates()) {
    info.pNext = &messenger;
    info.enabledLayerCount = info.enabledExtensionCount = 1;
    info.ppEnabledLayerNames = layers;
    info.ppEnabledExtensionNames = extensions;
  }
  VkInstance instance;
  const VkResult result = vkCreateInstance(&info, nullptr, &instance);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) throw NotAvailable("there is no driver");
  if (result != VK_SUCCESS) throw NotAvailable("vkCreateInstance failed: " + name(result));
  volkLoadInstanceOnly(instance);
  if (validates()) {
    VkDebugUtilsMessengerEXT handle;
    messenger.pNext = nullptr;
    require("vkCreateDebugUtilsMessengerEXT", vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &handle));
  }
  return instance;
}

}  // namespace

VkInstance instance() {
  std::lock_guard lock(mutex);
  if (!made) {
    made = make();
    made_at = fork_count();
  }
  if (made_at != fork_count())
    throw NotAvailable(
        "this process is a child of a fork, and its parent had used Vulkan before, whose drivers do not outlive that "
        "(in multiprocessing, the start method 'spawn' has no such children)");
  return made;
}

std::vector<VkPhysicalDevice> physical_devices() {
  VkInstance of = instance();
  uint32_t count = 0;
  VkResult result = vkEnumeratePhysicalDevices(of, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  if (result == VK_SUCCESS) result = vkEnumeratePhysicalDevices(of, &count, devices.data());
  if (result < 0) throw NotAvailable("vkEnumeratePhysicalDevices failed: " + name(result));
  devices.resize(count);
  if (devices.empty()) throw NotAvailable("there is no device");
  return devices;
}

bool validates() {
  static const bool wanted = [] {
    const char* value = std::getenv("QD_VULKAN_VALIDATION");
    return value && *value && std::strcmp(value, "0") != 0;
  }();
  return wanted;
}

std::string take_validation_messages() {
  if (!validates()) return {};
  std::lock_guard lock(messages_mutex);
  return std::exchange(messages, {});
}

void require_valid_use() {
  const std::string said = take_validation_messages();
  if (!said.empty()) throw std::runtime_error("the validation layer of Vulkan says: " + said);
}

}  // namespace qd::device::vulkan
