// The pointers to Vulkan's functions, and the code that fills them in.
#define VOLK_IMPLEMENTATION
#include "runtime/device/vulkan/volk.h"
